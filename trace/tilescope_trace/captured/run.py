"""A user's program, run as it is but for the hooks in its Python interpreters."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

import tilescope_worker
from tilescope_trace.errors import UsageError

PARTS = "TILESCOPE_CAPTURE"
"""The variable that asks for the hook of `capture`, and tells it where notes go."""
STAMPS = "TILESCOPE_STAMPS"
"""The same for the hook of `profile`."""
ANNOTATE = "TILESCOPE_ANNOTATE"
"""The same for the hook of `capture --annotate`, which notes nothing."""
STARTUP = Path(tilescope_worker.__file__).parent / "capture" / "startup"
"""The folder with nothing but our ``sitecustomize``, which every interpreter imports by itself at its start."""


def environment(hooks: Mapping[str, Path], environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` with hooks, and the folders for what they note. They are found through PYTHONPATH, in front of what
    is there, so that interpreters of other environments, spawned workers and subprocesses have them as well."""
    paths = [str(STARTUP), environ.get("PYTHONPATH", "")]
    return {
        **environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        **{variable: str(folder) for variable, folder in hooks.items()},
    }


def run(command: Sequence[str], hooks: Mapping[str, Path]) -> int:
    """Run ``command`` with our standard streams and open files to its end; its return code, negative for the signal
    that killed it. What the hooks noted lies in their folders then.

    Signals that are sent to us reach the program, and do not end us before it. Raises UsageError when it cannot be
    started.
    """
    with _passed_on() as started:
        try:
            # Descriptors of ours are not inheritable; those we were given are the program's.
            process = subprocess.Popen(list(command), env=environment(hooks, os.environ), close_fds=False)
        except OSError as error:
            raise UsageError(f"cannot start {command[0]}: {error.strerror or error}") from None
        started.append(process)
        return process.wait()


def end_as(code: int) -> int:
    """The exit code to leave with for a return code of `run`; for a program that a signal killed, die of the same."""
    if code >= 0 or os.name != "posix":
        return code if code >= 0 else 1
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return 128 - code


@contextlib.contextmanager
def _passed_on() -> Iterator[list[subprocess.Popen[bytes]]]:
    """While it lasts, signals go on to the processes that are added to the list. One from the keyboard reaches all
    processes at the terminal anyway, and is not sent twice; one that we ignore the program ignores as well."""
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        if number in keyboard and _at_terminal():
            return
        for process in started:
            with contextlib.suppress(OSError):
                process.send_signal(number)

    keyboard = [signal.SIGINT, *([signal.SIGQUIT] if os.name == "posix" else [])]
    others = [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2] if os.name == "posix" else []
    before = {}
    for number in (*keyboard, *others):
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, pass_on)
    try:
        yield started
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _at_terminal() -> bool:
    """Whether our process group is the one that the terminal sends its keyboard's signals to."""
    for descriptor in (0, 1, 2):
        with contextlib.suppress(OSError):
            return os.tcgetpgrp(descriptor) == os.getpgrp()
    return False
