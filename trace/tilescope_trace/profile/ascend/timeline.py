"""Timelines of msprof and torch_npu.profiler: host calls, tasks on streams, communication, counters, arrows.

Chrome's trace format as a bare list; ``ts`` is µs as text. Processes have names: "Ascend Hardware" holds the tasks,
a thread of it is a stream. Only tasks have the argument "Task Type".
"""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tilescope_trace.profile.annotations import COMPILE_PREFIX
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, Identifier, NameArgs
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import LaneKind, Launch
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.times import BadTimeError

from .annotations import Range, annotate
from .counters import counted
from .events import TimelineEvent, ns_of, ns_of_usual
from .tasks import is_kernel

_TASK = b'"Task Type"'
_UNREADABLE = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""What decoding arguments raises."""
_KINDS: dict[str, tuple[LaneKind, LaneKind]] = {
    "Ascend Hardware": ("device", "stream"),
    "CANN": ("process", "host"),
    "Python": ("process", "host"),
    "HCCL": ("process", "group"),
    "Communication": ("process", "group"),
    "Overlap Analysis": ("process", "overview"),
}
"""Kinds of the lanes of a process and of its threads."""


class _TaskArgs(msgspec.Struct, gc=False):
    task_type: str | UnsetType | None = msgspec.field(default=UNSET, name="Task Type")
    connection: int | None = msgspec.field(default=None, name="connection_id")


_Thread = tuple[Identifier, Identifier]
"""Numbers of a process and of a thread in it."""


class Timeline:
    """Reads events into ``builder``; ``finish`` when all are read."""

    def __init__(self, source: Source, builder: ProfileBuilder) -> None:
        self._source, self._builder = source, builder
        self._task_args = msgspec.json.Decoder(_TaskArgs, strict=False)
        self._names = msgspec.json.Decoder(NameArgs, strict=False)
        self._values = msgspec.json.Decoder(dict[str, Any])
        self._lanes: dict[_Thread, int] = {}
        self._own_lanes: dict[Identifier, int] = {}
        self._threads: dict[_Thread, str] = {}
        self._processes: dict[Identifier, NameArgs] = {}
        self._starts: dict[tuple[str | None, Identifier], tuple[int, int]] = {}
        self._ends: dict[tuple[str | None, Identifier], list[tuple[int, int]]] = {}
        self._ranges: dict[object, list[Range]] = {}

    def read(self, source: Source) -> None:
        """All events of one file."""
        self._source = source
        handlers = {"X": self._complete, "C": self._counter, "s": self._start, "f": self._end, "M": self._metadata}
        with source.open() as stream:
            for events in ArrayStream(source, stream, TRACE_EVENTS, TimelineEvent).pieces():
                times = ns_of_usual([event.ts for event in events]) or repeat(None)
                for event, time in zip(events, times, strict=False):
                    handler = handlers.get(event.ph)
                    if handler is None:
                        continue
                    try:
                        handler(event, ns_of(event.ts) if time is None else time)
                    except BadTimeError as error:
                        place = f'event "{event.name}"'
                        raise ProfileError(source.path, str(error), "ts and dur in µs", place) from error

    def finish(self) -> None:
        """Titles and kinds of lanes, arrows whose ends came first, annotations of launches."""
        for pid, process in self._processes.items():
            self._title(pid, process)
        for thread, title in self._threads.items():
            self._builder.retitle(thread, title)
        alone = sum(map(len, self._ends.values()))
        if alone:
            self._builder.note(f"{alone} arrows are left out: the file has their ends, but not where they start")
        annotate(self._builder, {lane: tid for (_, tid), lane in self._lanes.items()}, self._ranges)

    def _complete(self, event: TimelineEvent, start: int) -> None:
        duration = ns_of(event.dur)
        lane = self._lanes.get((event.pid, event.tid))
        if lane is None:
            lane = self._lane(event)
        name = event.name if isinstance(event.name, str) else str(event.name)
        args = self._task(event) if event.cat is None else None
        if args is None or args.task_type is UNSET:
            self._builder.slice(lane, name, start, duration)
            if name.startswith(COMPILE_PREFIX):
                self._ranges.setdefault(event.tid, []).append(Range(start, start + duration, name))
            return
        kind = args.task_type or ""
        if is_kernel(kind):
            self._builder.launch(Launch(name, start, duration, lane, correlation=args.connection, kind=kind))
        else:
            self._builder.slice(lane, name, start, duration, detail=kind)

    def _task(self, event: TimelineEvent) -> _TaskArgs | None:
        """What the arguments say of a task; None for the arguments of something else, which may have any form."""
        try:
            return self._task_args.decode(event.args)
        except _UNREADABLE as error:
            if _TASK in bytes(event.args):
                raise self._wrong(error, event) from error
            return None

    def _counter(self, event: TimelineEvent, time: int) -> None:
        values = self._args(self._values, event)
        lane = self._process_lane(event.pid)
        for name, value, unit in counted(str(event.name), values):
            self._builder.count(name, time, value, unit, lane)

    def _start(self, event: TimelineEvent, time: int) -> None:
        arrow = (event.cat, event.id)
        begin = self._starts[arrow] = (self._lane(event), time)
        if arrow in self._ends:
            for end in self._ends.pop(arrow):
                self._builder.flow(event.cat or "arrow", *begin, *end)

    def _end(self, event: TimelineEvent, time: int) -> None:
        # One call may start several tasks: arrows of one number have one start and one or more ends.
        arrow = (event.cat, event.id)
        begin = self._starts.get(arrow)
        if begin is None:
            self._ends.setdefault(arrow, []).append((self._lane(event), time))
        else:
            self._builder.flow(event.cat or "arrow", *begin, self._lane(event), time)

    def _metadata(self, event: TimelineEvent, _: int) -> None:
        if event.name not in ("process_name", "process_labels", "thread_name"):
            return
        args: NameArgs = self._args(self._names, event)
        if event.name == "thread_name":
            self._threads[event.pid, event.tid] = (args.name or "").strip()
        else:
            known = self._processes.setdefault(event.pid, NameArgs())
            known.name, known.labels = args.name or known.name, args.labels or known.labels

    def _lane(self, event: TimelineEvent) -> int:
        thread = (event.pid, event.tid)
        lane = self._lanes.get(thread)
        if lane is None:
            number = event.tid if isinstance(event.tid, int) else None
            process = self._process_lane(event.pid)
            lane = self._builder.lane(thread, f"thread {event.tid}", "process", process, number)
            self._lanes[thread] = lane
        return lane

    def _process_lane(self, pid: Identifier) -> int:
        lane = self._own_lanes.get(pid)
        if lane is None:
            lane = self._own_lanes[pid] = self._builder.lane(("process", pid), f"process {pid}", "process")
        return lane

    def _title(self, pid: Identifier, process: NameArgs) -> None:
        lanes, name = self._builder.lanes, (process.name or "").strip()
        host: tuple[LaneKind, LaneKind] = ("process", "host" if process.labels == "CPU" else "process")
        kind, kind_of_threads = _KINDS.get(name, host)
        own = self._process_lane(pid)
        lanes[own] = replace(lanes[own], title=name or lanes[own].title, kind=kind)
        for (of, _), lane in self._lanes.items():
            if of == pid:
                lanes[lane] = replace(lanes[lane], kind=kind_of_threads)

    def _args(self, decoder: msgspec.json.Decoder[Any], event: TimelineEvent) -> Any:
        try:
            return decoder.decode(event.args)
        except _UNREADABLE as error:
            raise self._wrong(error, event) from error

    def _wrong(self, error: Exception, event: TimelineEvent) -> ProfileError:
        place = f'event "{event.name}"'
        return ProfileError(self._source.path, str(error), "arguments as msprof writes them", place)
