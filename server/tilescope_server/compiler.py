"""The analyser of a trusted session: owns the worker host, which starts with the first text to compile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Snapshot

from .indexing import claim
from .session import Session
from .status import Worker, WorkerState

if TYPE_CHECKING:
    from tilescope_trace.host import Host
    from tilescope_trace.interpreter import Interpreter


def recorder_of(path: str) -> str:
    """The name of the process that records kernels of a file, beside the one that analyses it."""
    return f"{path} (recording)"


class Compiler:
    """Yields compiled facts. ``changed`` is called when ``worker`` tells something new.

    Made in trusted sessions only: what it starts executes the workspace's code.
    """

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self.worker = Worker()
        self._session = session
        self._changed = changed
        self._host: Host | None = None
        self._path = ""
        self._why = ""
        self._closing: set[asyncio.Task[None]] = set()

    async def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        from tilescope_trace.analyse import analyse

        options, overlays = self._session.options_for(snapshot.path), self._session.overlays(snapshot.path)
        claim(snapshot.path)
        host = await self._started(snapshot.path)
        async with aclosing(analyse(snapshot, options, host, overlays)) as states:
            async for facts in states:
                yield facts

    async def host(self, path: str) -> Host:
        """The worker processes, started where they are not. Raises UsageError without an interpreter."""
        return await self._started(path)

    async def forget(self, path: str) -> None:
        """End the processes of a closed document."""
        if self._host is not None:
            await self._host.forget(path)
            await self._host.forget(recorder_of(path))

    def modules(self, path: str) -> tuple[str, ...]:
        """The workspace modules that the document at ``path`` imports, as far as they are known."""
        return self._host.modules(path) if self._host is not None else ()

    def reconsider(self) -> bool:
        """Give the host up where the configuration now names another interpreter; True then."""
        host = self._host
        if host is None and self.worker.state != "failed":
            return False
        try:
            chosen = self._choose(self._path).path
        except UsageError:
            chosen = None
        if host is not None and chosen == host.interpreter:
            return False
        self._host = None
        self._tell(Worker())
        if host is not None:
            task = asyncio.create_task(host.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        return True

    async def close(self) -> None:
        """End all processes."""
        host, self._host = self._host, None
        if host is not None:
            await host.close()
        if self._closing:
            await asyncio.wait(set(self._closing))

    def _choose(self, path: str) -> Interpreter:
        """The interpreter for the workspace, without one for the project of the file. Raises UsageError."""
        from tilescope_trace.config.read import config_for
        from tilescope_trace.interpreter import choose
        from tilescope_trace.source.imports import workspace_of

        root = self._session.root or Path(workspace_of(path))
        config = config_for(str(root / "kernel.py")).config
        return choose(self._session.trust.interpreter, root, trusted=True, config=config)

    async def _started(self, path: str) -> Host:
        """The host, asked once whether its interpreter has tilelang. Raises UsageError for one that is not there."""
        from tilescope_trace.host import Host, Policy, WorkerEnded
        from tilescope_trace.source.targets import DEFAULT

        self._path = path
        if self._host is None:
            try:
                chosen = self._choose(path)
            except UsageError as error:
                self._tell(Worker("failed", self._session.trust.interpreter, problem=str(error)))
                raise
            options = self._session.options_for(path)
            targets = options.targets or (options.config.targets if options.config is not None else ())
            self._host = Host(chosen.path, Policy(warm_targets=targets or (DEFAULT["default"],)))
            self._why = chosen.why
            self._tell(Worker("starting", self._host.interpreter, why=chosen.why))
        host = self._host
        if self.worker.state != "idle":
            try:
                hello = await host.hello()
            except (UsageError, WorkerEnded) as error:
                self._tell(Worker("failed", host.interpreter, problem=str(error), why=self._why))
            else:
                state: WorkerState = "idle" if hello.tilelang is not None else "failed"
                self._tell(Worker(state, host.interpreter, hello.tilelang, hello.problem, self._why))
        return host

    def _tell(self, worker: Worker) -> None:
        if worker != self.worker:
            self.worker = worker
            self._changed()
