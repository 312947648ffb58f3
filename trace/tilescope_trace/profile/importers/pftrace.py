"""Perfetto traces (``.pftrace``): track events, read with the perfetto package; kernels and warps where IKET wrote
it.

Neither the trace processor's binary nor a network is needed: the package's message types decode the packets.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.emptied import LIFETIME, MARK, emptied_ranges
from tilescope_trace.profile.model import NONE, LaneKind, Launch, Profile
from tilescope_trace.profile.packets import looks_like_packets, packets
from tilescope_trace.profile.source import Source

NAME = "Perfetto trace"

_BEGIN, _END, _INSTANT, _COUNTER = 1, 2, 3, 4
"""TrackEvent.Type (perfetto, track_event.proto)."""
_STATE_CLEARED = 1
"""TracePacket.SequenceFlags.SEQ_INCREMENTAL_STATE_CLEARED."""
_OWN_CLOCKS = range(64, 128)
"""Clocks of one sequence, which may count from the last packet."""

_IKET_KERNEL = re.compile(r"kernel:(?P<name>.*), gridId: \d+")
_IKET_PAYLOAD = re.compile(r"(?P<name>.*)\(payload=(?P<payload>.*)\)")
_IKET_EMPTY = " [duration=0]"
_IKET_LIFETIME = "Warp Life Time"
_IKET_INSIDE_WARP = ("StackedRanges", "Marker")
_IKET_KINDS: tuple[tuple[re.Pattern[str], LaneKind], ...] = (
    (re.compile(r"TPC\d+\|VSM(\d{1,9})"), "sm"),
    (re.compile(r"CTA\(.*\)()"), "cta"),
    (re.compile(r"Warp(\d{1,9})"), "warp"),
)


def recognise(source: Source) -> bool:
    """A chain of packets."""
    return looks_like_packets(source.head)


def load(source: Source) -> Profile:
    """Tracks become lanes, slices and counters what is on them. Scheduling, memory and other data sources have
    nothing to do with kernels and are left out."""
    build = ProfileBuilder(source.path, NAME)
    reader = _Reader(build)
    with source.open() as stream:
        for packet in packets(source, stream):
            reader.packet(packet)
    reader.finish()
    nothing = "the trace has no track events: kernels cannot be seen in data of the operating system"
    profile = build.finish(nothing)
    for found in emptied_ranges(profile):
        build.note(found.message, found.name)
    return build.finish(nothing)


class _Reader:
    def __init__(self, build: ProfileBuilder) -> None:
        self._build = build
        self._tracks: dict[int, Any] = {}
        self._lanes: dict[int, int] = {}
        self._names: dict[int, dict[int, str]] = defaultdict(dict)
        self._default_track: dict[int, int] = {}
        self._open: dict[int, list[tuple[str, int]]] = defaultdict(list)

    def packet(self, packet: Any) -> None:
        sequence = packet.trusted_packet_sequence_id
        if packet.sequence_flags & _STATE_CLEARED:
            self._names[sequence].clear()
        if packet.HasField("interned_data"):
            self._names[sequence].update((one.iid, _text(one.name)) for one in packet.interned_data.event_names)
        if packet.HasField("trace_packet_defaults"):
            self._default_track[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
        if packet.HasField("track_descriptor"):
            self._tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        elif packet.HasField("track_event"):
            if packet.timestamp_clock_id in _OWN_CLOCKS:
                self._build.note("events with clocks of their writer's own are left out: their times are not known")
                return
            self._event(packet.track_event, packet.timestamp, sequence)

    def _event(self, event: Any, time: int, sequence: int) -> None:
        track = event.track_uuid or self._default_track.get(sequence, 0)
        lane = self._lane(track)
        name = _text(event.name) or self._names[sequence].get(event.name_iid, "")
        if event.type == _BEGIN:
            self._open[track].append((name.removesuffix(_IKET_EMPTY), time))
        elif event.type == _END and self._open[track]:
            begun, start = self._open[track].pop()
            self._slice(lane, begun, start, time - start)
        elif event.type == _INSTANT:
            found = _IKET_PAYLOAD.fullmatch(name)
            detail = f"{MARK}, payload {found['payload']}" if found else MARK
            self._build.slice(lane, found["name"] if found else name, time, 0, detail)
        elif event.type == _COUNTER:
            value = event.double_counter_value or float(event.counter_value)
            self._build.count(self._build.lanes[lane].title, time, value, lane=lane)

    def _slice(self, lane: int, name: str, start: int, duration: int) -> None:
        kernel = _IKET_KERNEL.fullmatch(name)
        if kernel:
            self._build.launch(Launch(kernel["name"], start, duration, lane))
        else:
            self._build.slice(lane, LIFETIME if name == _IKET_LIFETIME else name, start, duration)

    def _lane(self, track: int) -> int:
        unknown: list[int] = []
        while track not in self._lanes:
            self._lanes[track] = NONE  # a damaged trace may have tracks below themselves
            unknown.append(track)
            parent = self._tracks[track].parent_uuid if track in self._tracks else 0
            if parent not in self._tracks:
                break
            track = parent
        above = self._lanes[track]
        for inner in reversed(unknown):
            above = self._lanes[inner] = self._made(inner, above)
        return above

    def _made(self, track: int, above: int) -> int:
        described = self._tracks.get(track)
        title = _text(described.name or described.static_name) if described is not None else ""
        if title in _IKET_INSIDE_WARP and above != NONE:
            return above
        kind, number = _kind(title, described)
        return self._build.lane(track, title or f"track {track}", kind, above, number)

    def finish(self) -> None:
        """Slices lie in the launch that runs while they begin: IKET writes no other link."""
        build = self._build
        unclosed = sum(len(stack) for stack in self._open.values())
        if unclosed:
            build.note(f"{unclosed} slices have no end and are left out")
        spans = [
            (one.start_ns, one.start_ns + (one.duration_ns or 0), index)
            for index, one in enumerate(build.launches)
            if one.start_ns is not None
        ]
        columns = build.slices
        for at, start in enumerate(columns.start_ns):
            inside = [launch for begin, end, launch in spans if begin <= start <= end]
            if len(inside) == 1:
                columns.launch[at] = inside[0]


def _text(value: str | bytes) -> str:
    """Text of a message, which protobuf gives as bytes where it is no UTF-8."""
    return value if isinstance(value, str) else value.decode(errors="replace")


def _kind(title: str, described: Any) -> tuple[LaneKind, int | None]:
    for pattern, kind in _IKET_KINDS:
        if found := pattern.fullmatch(title):
            return kind, int(found[1]) if found[1] else None
    if described is not None and described.HasField("process"):
        return "process", described.process.pid
    if described is not None and described.HasField("thread"):
        return "host", described.thread.tid
    return "group", None
