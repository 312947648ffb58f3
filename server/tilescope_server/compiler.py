"""The analyser of a trusted session: owns the worker host, which starts with the first text to compile."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Snapshot

from .backoff import Backoff
from .indexing import claim
from .session import Session
from .statics import LARGE
from .status import Worker, WorkerState

if TYPE_CHECKING:
    from tilescope_trace.host import Host, Policy
    from tilescope_trace.interpreter import Interpreter

log = logging.getLogger(__name__)

READ_SECONDS = 0.01
"""A file that took longer to read when it was last read, with what other files say about it, is read in a thread."""
NICE = 5
"""A key that is pressed comes before what the compiler does for the one before."""
MEASURE_SECONDS = 2.0
NOTICEABLE_BYTES = 32 << 20


def recorder_of(path: str) -> str:
    """The name of the process that records kernels of a file, beside the one that analyses it."""
    return f"{path} (recording)"


class Compiler:
    """Yields compiled facts. ``changed`` is called when ``worker`` tells something new, ``restarted`` when processes
    that had ended by themselves are there again.

    Made in trusted sessions only: what it starts executes the workspace's code.
    """

    def __init__(
        self, session: Session, changed: Callable[[], None], restarted: Callable[[], None] = lambda: None
    ) -> None:
        self.worker = Worker()
        self._session = session
        self._changed = changed
        self._restarted = restarted
        self._backoff = Backoff()
        self._guards: list[asyncio.Task[None]] = []
        self._host: Host | None = None
        self._path = ""
        self._why = ""
        self._closing: set[asyncio.Task[None]] = set()
        self._read_seconds: dict[str, float] = {}
        """How long the last reading of each file took, by path."""

    async def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        from tilescope_trace.analyse import analyse

        path = snapshot.path
        options, overlays = self._session.options_for(path), self._session.overlays(path)
        claim(path)
        host = await self._started(path)
        beside = len(snapshot.text) > LARGE or self._read_seconds.get(path, READ_SECONDS) >= READ_SECONDS
        began: float | None = time.perf_counter()
        async with aclosing(analyse(snapshot, options, host, overlays, beside=beside)) as states:
            async for facts in states:
                if began is not None:
                    self._read_seconds[path], began = time.perf_counter() - began, None
                yield facts

    async def host(self, path: str) -> Host:
        """The worker processes, started where they are not. Raises UsageError without an interpreter."""
        return await self._started(path)

    async def forget(self, path: str) -> None:
        """End the processes of a closed document."""
        self._read_seconds.pop(path, None)
        if self._host is not None:
            await self._host.forget(path)
            await self._host.forget(recorder_of(path))

    def modules(self, path: str) -> tuple[str, ...]:
        """The workspace modules that the document at ``path`` imports, as far as they are known."""
        return self._host.modules(path) if self._host is not None else ()

    def reconsider(self) -> bool:
        """Give the host up where another interpreter or other limits are asked for now; True then."""
        host = self._host
        if host is None and self.worker.state != "failed":
            return False
        try:
            chosen = self._choose(self._path).path
        except UsageError:
            chosen = None
        if host is not None and chosen == host.interpreter and host.policy == self._policy(self._path):
            return False
        self._host = None
        self._let_go()
        self._tell(Worker())
        if host is not None:
            task = asyncio.create_task(host.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        return True

    async def close(self) -> None:
        """End all processes."""
        self._let_go()
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
        from tilescope_trace.host import Host

        self._path = path
        if self._host is None:
            try:
                chosen = self._choose(path)
            except UsageError as error:
                self._tell(Worker("failed", self._session.trust.interpreter, problem=str(error)))
                raise
            self._host = Host(chosen.path, self._policy(path))
            self._why = chosen.why
            self._tell(replace(self._fresh(self._host), state="starting"))
        host = self._host
        if self.worker.state != "idle":
            # A worker that cannot live is not started with every key that is pressed.
            await asyncio.sleep(self._backoff.remaining)
            if await self._greet(host) and not self._guards:
                self._guards = [asyncio.create_task(work(host)) for work in (self._revive, self._measure)]
        return host

    def _policy(self, path: str) -> Policy:
        from tilescope_trace.host import Policy
        from tilescope_trace.source.targets import DEFAULT

        options, limits = self._session.options_for(path), self._session.settings.worker
        targets = options.targets or (options.config.targets if options.config is not None else ())
        return Policy(
            warm_targets=targets or (options.device or DEFAULT["default"],),
            memory_bytes=limits.memory_mib << 20,
            step_seconds=limits.silence_seconds,
            documents=limits.documents,
            nice=NICE,
        )

    def _fresh(self, host: Host) -> Worker:
        restarts = self.worker.restarts
        return Worker(
            "idle", host.interpreter, why=self._why, restarts=restarts, memory_limit_bytes=host.policy.memory_bytes
        )

    async def _greet(self, host: Host) -> bool:
        """Start the processes of a host where they are not there and tell how that went; True where it did."""
        from tilescope_trace.host import WorkerEnded

        try:
            hello = await host.hello()
        except (UsageError, WorkerEnded) as error:
            if isinstance(error, WorkerEnded):
                self._backoff.failed()
            if self._host is host:
                self._tell(replace(self._fresh(host), state="failed", problem=str(error)))
            return False
        if self._host is host:
            state: WorkerState = "idle" if hello.tilelang is not None else "failed"
            self._tell(replace(self._fresh(host), state=state, tilelang=hello.tilelang, problem=hello.problem))
        return True

    async def _revive(self, host: Host) -> None:
        """Start processes that have ended by themselves again, ever later where they do so again and again."""
        while True:
            await host.lost()
            seconds = self._backoff.failed()
            problem = f"the compiling processes ended unexpectedly; started again in {seconds:g} s"
            log.warning("%s", problem)
            lost = replace(self.worker, state="restarting", problem=problem, restarts=self.worker.restarts + 1)
            self._tell(replace(lost, memory_bytes=None))
            await asyncio.sleep(seconds)
            if await self._greet(host):
                self._restarted()

    async def _measure(self, host: Host) -> None:
        """Tell how much memory the processes take, where that has changed noticeably."""
        while True:
            await asyncio.sleep(MEASURE_SECONDS)
            now = await asyncio.to_thread(host.resident_bytes)
            before = self.worker.memory_bytes
            if now is not None and self.worker.state == "idle" and abs(now - (before or 0)) >= NOTICEABLE_BYTES:
                self._tell(replace(self.worker, memory_bytes=now))

    def _let_go(self) -> None:
        """Look after the host no more: what is ended now is meant to end."""
        for guard in self._guards:
            guard.cancel()
        self._guards = []

    def _tell(self, worker: Worker) -> None:
        if worker != self.worker:
            self.worker = worker
            self._changed()
