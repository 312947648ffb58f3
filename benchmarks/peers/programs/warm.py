"""Runs many Python commands in forks of one interpreter that has imported TileLang: the same commands, less waiting.

    python warm.py < COMMANDS

A line of COMMANDS is ``{"argv": ["-m", MODULE, ...] or [SCRIPT, ...], "folder": F}``; the command runs in the folder
F, where ``stdout``, ``stderr`` and ``code`` (its exit status) are left.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
import traceback
from pathlib import Path

import tilelang  # noqa: F401 - what the forks share

LIMIT = 120
"""Seconds for one command."""


def run(argv: list[str], folder: Path) -> int:
    """In the fork: what ``python ARGV...`` does. The exit status."""
    os.chdir(folder)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    try:
        if argv[0] == "-m":
            sys.argv = argv[1:]
            runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = argv
            runpy.run_path(argv[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001 - as the interpreter itself ends
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def wait(child: int, folder: Path) -> int:
    """The exit status of a fork, which is killed when it takes too long."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with (folder / "stderr").open("a") as stream:
        stream.write(f"\nTimeoutError: it had not ended after {LIMIT} s\n")
    return 124


def main() -> None:
    for line in sys.stdin:
        command = json.loads(line)
        folder = Path(command["folder"])
        child = os.fork()
        if child == 0:
            os._exit(run(command["argv"], folder))
        (folder / "code").write_text(str(wait(child, folder)))


if __name__ == "__main__":
    main()
