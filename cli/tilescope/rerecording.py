"""Recording one kernel again and again while the browser shows it: one warm worker, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.host import WorkerEnded
from tilescope_trace.model import Kernel, Options
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace
from tilescope_trace.store.read import open_recording

from .session import Session


class Rerecorder:
    """``options`` name the kernel and its target; ``recording`` is replaced each time, once the new one is whole."""

    def __init__(self, file: Path, options: Options, python: str | None, recording: Path) -> None:
        self._file, self._options, self._python, self._path = file, options, python, recording
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: Session | None = None
        self._hello: asyncio.Task[None] | None = None
        self._running: Future[Path] | None = None
        self._starting = threading.Lock()
        # One writes the new recording at a time: one that was given up has cleared it away before the next begins.
        self._turn = asyncio.Lock()
        with open_recording(recording) as opened:
            self._last = opened.info.kernel.specialization.id

    def record(self) -> Path | None:
        """Records the kernel as the file is now; blocks until it is done. Asked again meanwhile, from another thread,
        it gives up and returns None: the newer call's recording is the one that counts. Raises UsageError where it
        cannot be recorded."""
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True, name="recording").start()
            if self._running is not None:
                self._running.cancel()
            running = self._running = asyncio.run_coroutine_threadsafe(self._record(), self._loop)
        try:
            return running.result()
        except CancelledError:
            return None

    def close(self) -> None:
        """Gives up what is being recorded, and ends the worker."""
        with self._starting:
            loop, self._loop = self._loop, None
        if loop is None:
            return
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)

    async def _end(self) -> None:
        if self._running is not None:
            self._running.cancel()
        async with self._turn:
            if self._hello is not None:
                self._hello.cancel()
                await asyncio.wait({self._hello})
            if self._session is not None:
                await self._session.__aexit__(None, None, None)

    async def _record(self) -> Path:
        async with self._turn:
            return await self._record_alone()

    async def _record_alone(self) -> Path:
        snapshot = read_snapshot(self._file)
        session = await self._started(snapshot.path)
        options = session.options_for(snapshot, self._options)
        statics = plan_file(snapshot, options, shared_workspace(snapshot.path)).statics
        kernel = self._same(statics)
        chosen = replace(options, kernel=kernel.qualname, specialization=kernel.specialization.id)
        new = self._path.with_name(f".{self._path.name}.new")
        try:
            await session.recording(snapshot, chosen, new)
            new.replace(self._path)
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror or error}") from None
        finally:
            new.unlink(missing_ok=True)
        self._last = kernel.specialization.id
        return self._path

    async def _started(self, path: str) -> Session:
        """The session, its worker started: giving up a recording does not give that up, which takes seconds."""
        if self._session is None:
            session = Session(self._python, path)
            self._session = await session.__aenter__()
            self._hello = asyncio.create_task(_greeted(self._session))
        if self._hello is not None:
            await asyncio.shield(self._hello)
        return self._session

    def _same(self, kernels: Sequence[Kernel]) -> Kernel:
        """The kernel that was recorded before: with the same arguments if it still has such a specialization."""
        if not kernels:
            raise UsageError(f"{self._file.name} does not hold {self._options.kernel} now")
        return next((kernel for kernel in kernels if kernel.specialization.id == self._last), kernels[0])


async def _greeted(session: Session) -> None:
    # What is wrong with it is told by the recording that needs it.
    with contextlib.suppress(UsageError, WorkerEnded):
        await session.hello()
