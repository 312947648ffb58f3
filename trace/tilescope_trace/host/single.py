"""Start the one persistent process that plays all parts where fork is not available."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

from tilescope_trace.errors import UsageError

from .child import Child
from .connection import PipeConnection


async def start_single(interpreter: str, bootstrap: Path, scratch: Path) -> Child:
    """A child process that talks on its standard streams; raises UsageError when ``interpreter`` cannot be run."""
    log = scratch / "single.log"
    try:
        with (scratch / "start.log").open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                interpreter,
                str(bootstrap),
                "single",
                str(scratch),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )
    except OSError as error:
        raise UsageError(f"cannot run the interpreter {interpreter}: {error.strerror}") from None
    assert process.stdin is not None
    assert process.stdout is not None

    async def end() -> int:
        # Not Process.kill: it polls, and so takes the exit status away from asyncio's own watcher.
        for kill in (os.kill,) if sys.platform == "win32" else (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(process.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        return await process.wait()

    return Child(PipeConnection(process.stdout, process.stdin), process.pid, log, end)
