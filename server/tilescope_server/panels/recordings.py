"""Recordings of kernels in open documents, made when they are asked for and kept while they are of use."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import psutil

from tilescope_server.compiler import recorder_of
from tilescope_trace.model import Kernel, Snapshot
from tilescope_trace.store.read import Recording, open_recording
from tilescope_worker.wire.messages import PassBegan, PassEnded

from .subject import Subject

if TYPE_CHECKING:
    from tilescope_trace.host import Host

PREFIX = "tilescope-recordings-"
KEPT = 24
"""Recordings of one session: a GEMM's has 100 KB. The one that was not asked for longest goes first."""

Key: TypeAlias = "tuple[int, str, int, str, str]"
Told = Callable[[str], None]
"""Is told what is going on, in a few words."""


@dataclass
class _Making:
    task: asyncio.Task[Recording]
    listeners: list[Told] = field(default_factory=list)


class Recordings:
    """Makes and keeps recordings; ``host(path)`` gives the worker processes for a file.

    Those who want the same recording share the work, which is given up when nobody waits for it any more.
    """

    def __init__(self, host: Callable[[str], Awaitable[Host]]) -> None:
        self._host = host
        self._folder: Path | None = None
        self._kept: OrderedDict[Key, tuple[Snapshot, Recording]] = OrderedDict()
        self._making: dict[Key, _Making] = {}
        self._numbers = itertools.count(1)

    def known(self, snapshot: Snapshot, kernel: Kernel) -> Recording | None:
        """The recording where it has been made already."""
        kept = self._kept.get(_key(snapshot, kernel))
        return kept[1] if kept is not None else None

    async def of(self, subject: Subject, overlays: Mapping[str, str], told: Told | None = None) -> Recording:
        """The recording of a kernel as it stands in its document; ``overlays`` are other documents that it imports,
        by real path. Raises UsageError where it cannot be recorded; cancel it freely."""
        key = _key(subject.snapshot, subject.kernel)
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept[1]
        making = self._making.get(key)
        if making is None:
            listeners: list[Told] = []
            task = asyncio.create_task(self._make(key, subject, overlays, listeners))
            making = self._making[key] = _Making(task, listeners)
            task.add_done_callback(lambda _: self._forget(key, task))
        listener = told or _nobody
        making.listeners.append(listener)
        try:
            return await asyncio.shield(making.task)
        finally:
            making.listeners.remove(listener)
            if not making.listeners:
                # Whoever asks from now on does not get what is given up.
                self._forget(key, making.task)
                making.task.cancel()

    def _forget(self, key: Key, task: asyncio.Task[Recording]) -> None:
        making = self._making.get(key)
        if making is not None and making.task is task:
            del self._making[key]

    async def close(self) -> None:
        """Stop what is being made and remove all recordings."""
        tasks = {making.task for making in self._making.values()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for _, recording in self._kept.values():
            recording.close()
        self._kept.clear()
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, True)

    async def _make(
        self, key: Key, subject: Subject, overlays: Mapping[str, str], listeners: list[Told]
    ) -> Recording:
        from tilescope_trace.record import record

        def progress(event: PassBegan | PassEnded) -> None:
            if isinstance(event, PassBegan):
                for told in listeners:
                    told(event.name)

        host = await self._host(subject.snapshot.path)
        if self._folder is None:
            self._folder = await asyncio.to_thread(new_folder)
        out = self._folder / f"{subject.kernel.name}-{next(self._numbers)}.tscope"
        # Not in the document's own process: hints do not wait for a recording.
        process = recorder_of(subject.snapshot.path)
        await record(subject.snapshot, subject.options, host, out, progress, overlays=overlays, process=process)
        recording = await asyncio.to_thread(open_recording, out)
        self._kept[key] = subject.snapshot, recording
        while len(self._kept) > KEPT:
            _, (_, oldest) = self._kept.popitem(last=False)
            oldest.close()
            oldest.path.unlink(missing_ok=True)
        return recording


def new_folder() -> Path:
    """A folder for the recordings of this process; those of processes that are gone without removing theirs go."""
    for old in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = old.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def _nobody(_: str) -> None:
    pass


def _key(snapshot: Snapshot, kernel: Kernel) -> Key:
    """A document makes a new snapshot of the same text where something that the text depends on has changed: the
    snapshot itself counts, not what is in it."""
    return id(snapshot), kernel.qualname, kernel.line, kernel.specialization.id, kernel.target
