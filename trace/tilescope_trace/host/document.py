"""The processes of one document: its base, the child in use, and a spare that waits."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Mapping

from tilescope_worker.wire.messages import Event, Job

from .child import Child
from .connection import SocketConnection
from .errors import WorkerEnded
from .forker import Forker, Handle
from .policy import Policy

_names = itertools.count(1)


class Document:
    """Runs the jobs of one document, one at a time, each in a child forked from the document's base.

    The base has imported the document's third-party modules (``imports``); killing a child re-imports nothing.
    """

    def __init__(self, parent: Forker, imports: tuple[str, ...], policy: Policy) -> None:
        self.imports = imports
        self.parent = parent
        self._policy = policy
        self._base: Forker | None = None
        self._base_handle: Handle | None = None
        self._child: Child | None = None
        self._spare: Child | None = None
        self._spawning: asyncio.Task[None] | None = None

    async def ready(self, overlays: Mapping[str, str]) -> None:
        """Have a child for the next job, which has these overlays: that of the last job, else the spare, else a new
        one. One that has died meanwhile is no answer to anybody's job. Raises WorkerEnded."""
        child, self._child = self._child, None
        if child is not None and (not child.fit or child.is_gone() or child.stale(overlays)):
            await _end(child)
            child = None
        if child is None:
            if self._spawning is not None:
                await asyncio.wait({self._spawning})
            child, self._spare = self._spare, None
            if child is not None and child.is_gone():
                await _end(child)
                child = None
        self._child = child or await self._fork()

    async def run(self, job: Job) -> AsyncGenerator[Event, None]:
        """See `Child.run`. To be called after `ready`, and never for two jobs at once."""
        child = self._child
        assert child is not None
        events = child.run(job, self._policy)
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()
            if not child.fit:
                self._child = None
                await _end(child)
            if self._policy.spares:
                self._prepare_spare()  # behind the job: to fork takes from whoever waits for its facts

    async def renew(self, parent: Forker) -> None:
        """Replace all processes by ones forked from another parent (a warm one)."""
        await self.close()
        self.parent = parent
        self._prepare_spare()

    async def close(self) -> None:
        """End all processes of the document."""
        if self._spawning is not None:
            self._spawning.cancel()
            await asyncio.wait({self._spawning})
        for child in (self._child, self._spare):
            if child is not None:
                await _end(child)
        self._child = self._spare = None
        if self._base is not None:
            self._base.close()
        if self._base_handle is not None:
            await self.parent.kill(self._base_handle)
        self._base = self._base_handle = None

    def _prepare_spare(self) -> None:
        if self._spare is None and (self._spawning is None or self._spawning.done()):
            self._spawning = asyncio.create_task(self._fork_spare())

    async def _fork_spare(self) -> None:
        try:
            self._spare = await self._fork()
        except WorkerEnded:
            self._spare = None  # the next job forks, and reports

    async def _fork(self) -> Child:
        if self._base is None or self._base.gone.is_set():
            await self._open_base()
        try:
            return await self._fork_from_base()
        except WorkerEnded:
            if self.parent.gone.is_set():
                raise
        await self._open_base()  # it died without having been noticed
        return await self._fork_from_base()

    async def _fork_from_base(self) -> Child:
        base = self._base
        assert base is not None
        handle = await base.fork(f"child-{next(_names)}", "child")

        async def end() -> int:
            await base.kill(handle)
            return handle.ended.result() if handle.ended.done() else -9

        return Child(SocketConnection(handle.sock), handle.pid, handle.log, end)

    async def _open_base(self) -> None:
        handle = await self.parent.fork(f"base-{next(_names)}", "base", self.imports)
        try:
            self._base = await Forker.open(handle.sock, handle.log.parent, self._policy.step_seconds)
        except WorkerEnded as error:
            await self.parent.kill(handle)
            names = ", ".join(self.imports) or "nothing"
            raise WorkerEnded(error.kind, f"{error.detail} (while it imported {names})") from None
        except BaseException:
            await self.parent.kill(handle)
            raise
        self._base_handle = handle


async def _end(child: Child) -> None:
    child.close()
    await child.end()
