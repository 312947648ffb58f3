"""The worker of one command: started on first use, shared by all files, ended with the command."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from tilescope_trace.analyse import analyse
from tilescope_trace.config.read import config_for, strictly
from tilescope_trace.host import Host, WorkerEnded
from tilescope_trace.interpreter import Interpreter, choose
from tilescope_trace.local_device import target_here
from tilescope_trace.model import FileFacts, Options, RecordingInfo, Snapshot
from tilescope_trace.record import record
from tilescope_trace.source.imports import workspace_of
from tilescope_worker.wire.messages import Hello, PassBegan, PassEnded

from .pass_configs import refuse_misspelt

PassProgress = Callable[["PassBegan | PassEnded"], None]


class Session:
    """An asynchronous context manager. ``python`` is what ``--python`` says, ``path`` a file or folder of the
    project whose environment to look for; with ``static`` no process is ever started. With ``device`` kernels that
    nothing names a target for are compiled for the GPU of this machine, where it has one: for commands that answer a
    person here, not for those whose results are kept or compared. Raises UsageError for an interpreter that does not
    exist."""

    def __init__(self, python: str | None, path: str | Path, *, static: bool = False, device: bool = False) -> None:
        self._device = target_here() if device and not static else None
        self.interpreter = interpreter_for(python, path)
        self._host = None if static else Host(self.interpreter.path)

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._host is not None:
            await self._host.close()

    def options_for(self, snapshot: Snapshot, options: Options) -> Options:
        """The options with the configuration that holds for a file. Raises UsageError for one that is wrong."""
        return replace(options, config=strictly(snapshot.path), device=self._device)

    async def facts(self, snapshot: Snapshot, options: Options) -> FileFacts:
        """The complete facts of a file. Raises UsageError for what the options ask and cannot be had."""
        options = self.options_for(snapshot, options)
        await self._check(options)
        return [facts async for facts in analyse(snapshot, options, self._host)][-1]

    async def recording(
        self, snapshot: Snapshot, options: Options, out: Path, progress: PassProgress | None = None
    ) -> RecordingInfo:
        """Record the one kernel that the options name into ``out``. Raises UsageError as ``facts`` does."""
        options = self.options_for(snapshot, options)
        await self._check(options)
        return await record(snapshot, options, self._running(), out, progress)

    async def hello(self) -> Hello:
        """What the worker says of itself. Raises WorkerEnded and UsageError."""
        return await self._running().hello()

    async def _check(self, options: Options) -> None:
        if not options.pass_configs or self._host is None or options.static:
            return
        # That the worker ended is told with the facts, or by the recording.
        with contextlib.suppress(WorkerEnded):
            refuse_misspelt(options.pass_configs, (await self._host.hello()).tilelang_path)

    def _running(self) -> Host:
        assert self._host is not None, "a static session runs nothing"
        return self._host


def interpreter_for(python: str | None, path: str | Path) -> Interpreter:
    """The interpreter that ``--python`` names, else that of the project around ``path``. Raises UsageError."""
    # Whoever names a file on the command line trusts its project.
    config = config_for(str(path)).config
    return choose(_setting(python), Path(workspace_of(str(path))), trusted=True, config=config)


def _setting(python: str | None) -> str | None:
    """A name on PATH, or a path from the working directory, as an absolute path."""
    return None if python is None else str(Path(shutil.which(python) or python).absolute())
