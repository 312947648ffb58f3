"""The analyser of a trusted session: owns the worker host, which starts with the first text to compile."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Options, Snapshot

from .status import Worker

if TYPE_CHECKING:
    from tilescope_trace.host import Host


class Compiler:
    """Yields compiled facts. ``changed`` is called when ``worker`` tells something new.

    Made in trusted sessions only: what it starts executes the workspace's code.
    """

    def __init__(
        self, interpreter: str | None, root: Path | None, options: Options, changed: Callable[[], None]
    ) -> None:
        self.worker = Worker()
        self._interpreter = interpreter
        self._root = root
        self._options = options
        self._changed = changed
        self._host: Host | None = None

    async def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        from tilescope_trace.analyse import analyse

        host = await self._started()
        async with aclosing(analyse(snapshot, self._options, host)) as states:
            async for facts in states:
                yield facts

    async def forget(self, path: str) -> None:
        """End the processes of a closed document."""
        if self._host is not None:
            await self._host.forget(path)

    async def close(self) -> None:
        """End all processes."""
        host, self._host = self._host, None
        if host is not None:
            await host.close()

    async def _started(self) -> Host:
        """The host, asked once whether its interpreter has tilelang. Raises UsageError for one that is not there."""
        from tilescope_trace.host import Host, Policy, WorkerEnded
        from tilescope_trace.interpreter import choose
        from tilescope_trace.source.targets import DEFAULT

        if self._host is None:
            try:
                chosen = choose(self._interpreter, self._root, trusted=True)
                self._host = Host(chosen.path, Policy(warm_targets=self._options.targets or (DEFAULT["default"],)))
            except UsageError as error:
                self._tell(Worker("failed", self._interpreter, problem=str(error)))
                raise
            self._tell(Worker("starting", self._host.interpreter))
        host = self._host
        if self.worker.state != "idle":
            try:
                hello = await host.hello()
            except (UsageError, WorkerEnded) as error:
                self._tell(Worker("failed", host.interpreter, problem=str(error)))
            else:
                known = hello.tilelang is not None
                self._tell(Worker("idle" if known else "failed", host.interpreter, hello.tilelang, hello.problem))
        return host

    def _tell(self, worker: Worker) -> None:
        if worker != self.worker:
            self.worker = worker
            self._changed()
