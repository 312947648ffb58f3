"""Any other trace in the Chrome format: its slices and counters, without a meaning that only its writer knows."""

from __future__ import annotations

import re
from collections import defaultdict

import msgspec

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent, NameArgs, times
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "Chrome trace"

_MARK = re.compile(rb'"traceEvents"\s*:\s*\[')


def recognise(source: Source) -> bool:
    """An object with trace events."""
    head = source.head.lstrip()
    return head.startswith(b"{") and _MARK.search(head) is not None


def load(source: Source) -> Profile:
    """Complete events, pairs of begin and end, and counters. Kernels cannot be told from other slices."""
    build = ProfileBuilder(source.path, NAME)
    reader = _Reader(source, build)
    with source.open() as stream:
        for event in ArrayStream(source, stream, TRACE_EVENTS, ChromeEvent):
            reader.event(event)
    reader.finish()
    build.note("which slices are launches of kernels is not told by this format")
    return build.finish("the trace has no event with a duration and no counter")


class _Reader:
    def __init__(self, source: Source, build: ProfileBuilder) -> None:
        self._source, self._build = source, build
        self._open: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self._ends = 0

    def event(self, event: ChromeEvent) -> None:
        build = self._build
        if event.ph == "X":
            start, duration = times(self._source, event)
            build.slice(self._lane(event), str(event.name), start, duration)
        elif event.ph == "B":
            start, _ = times(self._source, event)
            self._open[self._lane(event)].append((str(event.name), start))
        elif event.ph == "E":
            lane = self._lane(event)
            end, _ = times(self._source, event)
            if self._open[lane]:
                name, start = self._open[lane].pop()
                build.slice(lane, name, start, end - start)
            else:
                self._ends += 1
        elif event.ph == "C":
            self._counter(event)
        elif event.ph == "M":
            self._name(event)

    def finish(self) -> None:
        """Note what has no partner: a trace that began or ended in the middle of slices."""
        for count, lacks in ((sum(map(len, self._open.values())), "end"), (self._ends, "begin")):
            if count:
                self._build.note(f"slices without their {lacks} are left out: {count}")

    def _lane(self, event: ChromeEvent) -> int:
        process = self._build.lane(("process", event.pid), f"process {event.pid}", "process")
        return self._build.lane(("thread", event.pid, event.tid), str(event.tid), "group", process)

    def _counter(self, event: ChromeEvent) -> None:
        start, _ = times(self._source, event)
        lane = self._build.lane(("process", event.pid), f"process {event.pid}", "process")
        try:
            values = msgspec.json.decode(event.args, type=dict[str, float], strict=False)
        except msgspec.MsgspecError as error:
            raise ProfileError(self._source.path, str(error), "numbers by name", f'counter "{event.name}"') from error
        for name, value in values.items():
            title = str(event.name) if len(values) == 1 else f"{event.name} {name}"
            self._build.count(title, start, value, lane=lane)

    def _name(self, event: ChromeEvent) -> None:
        key = {"process_name": ("process", event.pid), "thread_name": ("thread", event.pid, event.tid)}
        if event.name not in key:
            return
        self._lane(event)
        try:
            given = msgspec.json.decode(event.args, type=NameArgs, strict=False).name
        except msgspec.MsgspecError:
            return
        self._build.retitle(key[str(event.name)], (given or "").strip())
