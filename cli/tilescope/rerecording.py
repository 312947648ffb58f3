"""Recording one kernel again and again while the browser shows it: one warm worker, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Kernel, Options
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace
from tilescope_trace.store.read import open_recording

from .session import Session

Value = TypeVar("Value")


class Rerecorder:
    """``options`` name the kernel and its target; ``recording`` is replaced each time, once the new one is whole."""

    def __init__(self, file: Path, options: Options, python: str | None, recording: Path) -> None:
        self._file, self._options, self._python, self._path = file, options, python, recording
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: Session | None = None
        with open_recording(recording) as opened:
            self._last = opened.info.kernel.specialization.id

    def record(self) -> Path:
        """Records the kernel as the file is now; blocks until it is done. Raises UsageError where it cannot be."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, daemon=True, name="recording").start()
        return self._wait(self._record())

    def close(self) -> None:
        """Ends the worker."""
        if self._loop is None:
            return
        if self._session is not None:
            self._wait(self._session.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._loop = None

    def _wait(self, task: Coroutine[Any, Any, Value]) -> Value:
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(task, self._loop).result()

    async def _record(self) -> Path:
        snapshot = read_snapshot(self._file)
        if self._session is None:
            session = Session(self._python, snapshot.path)
            self._session = await session.__aenter__()
        options = self._session.options_for(snapshot, self._options)
        statics = plan_file(snapshot, options, shared_workspace(snapshot.path)).statics
        kernel = self._same(statics)
        chosen = replace(options, kernel=kernel.qualname, specialization=kernel.specialization.id)
        new = self._path.with_name(f".{self._path.name}.new")
        try:
            await self._session.recording(snapshot, chosen, new)
            new.replace(self._path)
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror or error}") from None
        finally:
            new.unlink(missing_ok=True)
        self._last = kernel.specialization.id
        return self._path

    def _same(self, kernels: Sequence[Kernel]) -> Kernel:
        """The kernel that was recorded before: with the same arguments if it still has such a specialization."""
        if not kernels:
            raise UsageError(f"{self._file.name} does not hold {self._options.kernel} now")
        return next((kernel for kernel in kernels if kernel.specialization.id == self._last), kernels[0])
