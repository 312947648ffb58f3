"""Runs that go on until they are interrupted, as processes of their own."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import CLEAN, Write, run

USES = f"from common import BLOCK\n{CLEAN}"
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")


def wrong(text: str) -> str:
    """With TS006 above the kernel."""
    return text.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit")


class Watching:
    """A run whose lines are read as they come, both streams in one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def round(self) -> list[str]:
        """The lines up to where the next change is waited for."""
        lines: list[str] = []
        while not lines or "watching" not in lines[-1]:
            lines.append(self._lines.get(timeout=120).rstrip("\n"))
        return lines

    def interrupted(self) -> tuple[int, str]:
        """Exit code, and what was said in the end (a line end stands after the ^C of a terminal)."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(60)
        rest = []
        while line := self._lines.get(timeout=60):
            rest.append(line)
        return code, "".join(rest)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put("")


@contextmanager
def watching(*arguments: str | Path) -> Iterator[Watching]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tilescope", "lint", "--watch", "--format", "concise", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Jobs in the background of a script are started deaf to it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()


@UNIX
def test_changed_files_are_checked_again_until_an_interrupt(write: Write, tmp_path: Path) -> None:
    write("a.py", CLEAN)
    write("common.py", "BLOCK = 128\n")
    write("kernels/uses.py", USES)
    write("venv/pyvenv.cfg", "")
    with watching("--static", "--cache-dir", tmp_path / ".cache") as watched:
        assert watched.round()[0].startswith("tilescope: nothing found in 2 files")
        write("venv/b.py", wrong(CLEAN))
        write("kernels/uses.py", wrong(USES))
        changed, finding, summary, waiting = watched.round()
        assert changed == "tilescope: changed: kernels/uses.py"
        assert finding.startswith("kernels/uses.py:6:")
        assert summary.startswith("tilescope: 1 finding")
        assert waiting == "tilescope: watching 2 files, Ctrl-C ends"
        write("new.py", wrong(CLEAN))
        assert sum(" TS006: " in line for line in watched.round()) == 2
        write("tilescope.toml", "[lint]\nfail_level = 3\n")
        assert any("tilescope.toml" in line for line in watched.round()[1:])
        write("tilescope.toml", "exclude = ['new.py']\n")
        assert sum(" TS006: " in line for line in watched.round()) == 1
        (tmp_path / "kernels" / "uses.py").unlink()
        assert watched.round()[0] == "tilescope: changed: kernels/uses.py"
        assert watched.interrupted() == (130, "\n")


def test_watching_only_shows(write: Write) -> None:
    write("a.py", CLEAN)
    for other in ("--fix", "--diff", "--add-ignore", "-"):
        ran = run("lint", "--static", "--watch", other, stdin=b"")
        assert (ran.code, "--watch" in ran.err) == (2, True)
