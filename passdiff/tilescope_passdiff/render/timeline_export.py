"""Profiles as one file of trace events, which ui.perfetto.dev and chrome://tracing open.

The format is Chrome's JSON trace event format: complete events (``ph`` X), arrows (s, f), counters (C), times in µs.
It knows two levels, process and thread: the outermost lane of each profile is a process, and a lane below it a thread
titled with the path to it. Times count from the first slice of each profile, since µs of a time of day have no room
for nanoseconds in a JSON number. Slices of known lines are named after the line's text and carry what passes
made of it, joined launches their recording, whose passes are a process of their own. Written event by event, since a
profile may have millions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from tilescope_trace.errors import UsageError
from tilescope_trace.history import of_line
from tilescope_trace.profile.correlate import Join
from tilescope_trace.profile.model import NONE, Frames, Launch, Place, Profile
from tilescope_trace.profile.recorded import RecordedKernel
from tilescope_trace.profile.spans import extent
from tilescope_trace.store.read import Recording, RecordingError, open_recording

from .perfetto import report_perfetto

Event = dict[str, Any]

_NS_PER_US = 1000
_UNTOLD = ("rewritten", "created")
"""Starts of what a history says of steps that lowered nothing."""


@dataclass(frozen=True)
class _Line:
    """A Python line of a recorded kernel: its text, and what passes made of it, where they lowered something."""

    text: str
    passes: tuple[str, ...]


Lines = Mapping[Place, _Line]


def write_trace(out: TextIO, profiles: Sequence[tuple[Profile, Sequence[Join] | None]]) -> None:
    """Write profiles with their joins. Raises RecordingError where a joined recording is damaged."""
    lines: dict[Path, Lines] = {}
    passes = []
    for kernel, places in _joined(profiles).values():
        with open_recording(kernel.path) as recording:
            lines[kernel.path] = dict(_lines(recording, places))
            passes.append((kernel, report_perfetto(recording)["traceEvents"]))
    out.write('{"displayTimeUnit":"ns","traceEvents":[\n')
    first = True
    for event in _events(profiles, lines, passes):
        out.write(("" if first else ",\n") + json.dumps(event, ensure_ascii=False))
        first = False
    out.write("\n]}\n")


def _joined(
    profiles: Sequence[tuple[Profile, Sequence[Join] | None]],
) -> dict[Path, tuple[RecordedKernel, set[Place]]]:
    """The recordings that launches are joined with, and the lines that slices of these launches stem from."""
    found: dict[Path, tuple[RecordedKernel, set[Place]]] = {}
    for profile, joins in profiles:
        columns, by_launch = profile.slices, [join.recording for join in joins or ()]
        for kernel in by_launch:
            if kernel is not None:
                found.setdefault(kernel.path, (kernel, set()))
        for launch, place in zip(columns.launch, columns.place, strict=True) if by_launch else ():
            joined = by_launch[launch] if launch != NONE and place != NONE else None
            if joined is not None:
                found[joined.path][1].add(profile.places[place][-1])
    return found


def _lines(recording: Recording, places: Iterable[Place]) -> Iterator[tuple[Place, _Line]]:
    """Lines of the recorded sources, which profiles may name by another folder."""
    sources = {_base(source.path): source for source in recording.sources()}
    for place in places:
        source = sources.get(_base(place.file))
        text = source.text.split("\n") if source is not None else []
        if source is not None and 0 < place.line <= len(text):
            yield place, _Line(text[place.line - 1].strip(), _passes(recording, place.line, source.path))


def _passes(recording: Recording, line: int, file: str) -> tuple[str, ...]:
    """None for a line without IR, as a definition's."""
    try:
        steps = of_line(recording, line, file).steps
    except RecordingError:
        raise
    except UsageError:
        return ()
    return tuple(f"{step.record.label}: {step.change}" for step in steps if not step.change.startswith(_UNTOLD))


def _events(
    profiles: Sequence[tuple[Profile, Sequence[Join] | None]],
    lines: Mapping[Path, Lines],
    passes: Sequence[tuple[RecordedKernel, Sequence[Event]]],
) -> Iterator[Event]:
    process = 0
    for profile, joins in profiles:
        lanes, process, named = _processes(profile, process)
        first = (extent(profile) or (0, 0))[0]
        yield from named
        yield from _slices(profile, joins, lanes, lines, first)
        yield from _flows(profile, lanes, first)
        yield from _counters(profile, lanes, process, first)
        process += 1
    for kernel, events in passes:
        process += 1
        for event in events:
            yield {**event, "pid": process}
        yield _name("process_name", process, 0, f"compile of {kernel.name} ({kernel.path.name})")


def _processes(profile: Profile, before: int) -> tuple[list[tuple[int, int]], int, list[Event]]:
    """Process and thread of each lane, the last process number given out, and the events that name them."""
    places: list[tuple[int, int]] = []
    titles: list[str] = []
    named: list[Event] = []
    process = before
    for index, lane in enumerate(profile.lanes):
        if lane.parent == NONE:
            process += 1
            places.append((process, index))
            titles.append(lane.title)
            named.append(_name("process_name", process, 0, f"{lane.title} ({profile.path.name})"))
        else:
            places.append((places[lane.parent][0], index))
            above = "" if profile.lanes[lane.parent].parent == NONE else f"{titles[lane.parent]} / "
            titles.append(above + lane.title)
        named.append(_name("thread_name", places[-1][0], index, titles[-1]))
        named.append(
            {
                "ph": "M",
                "name": "thread_sort_index",
                "pid": places[-1][0],
                "tid": index,
                "args": {"sort_index": index},
            }
        )
    return places, process, named


def _slices(
    profile: Profile,
    joins: Sequence[Join] | None,
    lanes: Sequence[tuple[int, int]],
    lines: Mapping[Path, Lines],
    first: int,
) -> Iterator[Event]:
    columns, texts = profile.slices, profile.texts
    shown: set[int] = set()
    for index in range(len(columns)):
        process, thread = lanes[columns.lane[index]]
        launch, name = columns.launch[index], texts[columns.name[index]]
        recorded = joins[launch].recording if joins and launch != NONE else None
        args: Event = {}
        if columns.detail[index] != NONE:
            args["detail"] = texts[columns.detail[index]]
        if columns.place[index] != NONE:
            frames = profile.places[columns.place[index]]
            line = lines[recorded.path].get(frames[-1]) if recorded is not None else None
            args.update(_place(frames, line))
            name = f"{name}: {line.text}" if line is not None else name
        if launch != NONE and launch not in shown and name == profile.launches[launch].name:
            shown.add(launch)
            args.update(_launch_args(profile.launches[launch], joins[launch] if joins else None))
        event = {
            "ph": "X",
            "name": name,
            "pid": process,
            "tid": thread,
            "ts": _us(columns.start_ns[index] - first),
            "dur": _us(columns.duration_ns[index]),
        }
        yield {**event, "args": args} if args else event


def _place(frames: Frames, line: _Line | None) -> Event:
    """The line of the kernel (outermost), its text and passes where a recording has them, and the stack inside it."""
    args: Event = {"line": f"{frames[-1].file}:{frames[-1].line}"}
    if line is not None:
        args |= {"source": line.text, "passes": list(line.passes)}
    if len(frames) > 1:
        args["inside"] = [f"{place.file}:{place.line}" for place in frames[:-1]]
    return args


def _launch_args(launch: Launch, join: Join | None) -> Event:
    known: Mapping[str, Any] = {
        "grid": launch.grid,
        "block": launch.block,
        "dynamic_shared_bytes": launch.dynamic_shared_bytes,
        "registers": launch.registers,
        "annotation": launch.annotation,
    }
    args = {key: value for key, value in known.items() if value is not None}
    if join is not None:
        args["match"] = f"{join.match}: {join.reason}"
        if join.recording is not None:
            args["recording"] = str(join.recording.path)
            args["kernel"] = f"{join.recording.name} for {join.recording.target}"
    return args


def _flows(profile: Profile, lanes: Sequence[tuple[int, int]], first: int) -> Iterator[Event]:
    flows = profile.flows
    for index in range(len(flows)):
        common = {"cat": "flow", "name": profile.texts[flows.name[index]], "id": f"{profile.path}#{index}"}
        for phase, lane, time in (
            ("s", flows.start_lane[index], flows.start_ns[index]),
            ("f", flows.end_lane[index], flows.end_ns[index]),
        ):
            process, thread = lanes[lane]
            yield {**common, "ph": phase, "bp": "e", "pid": process, "tid": thread, "ts": _us(time - first)}


def _counters(profile: Profile, lanes: Sequence[tuple[int, int]], process: int, first: int) -> Iterator[Event]:
    for counter in profile.counters:
        pid = lanes[counter.lane][0] if counter.lane != NONE else process + 1
        title = f"{counter.name} ({counter.unit})" if counter.unit else counter.name
        for time, value in zip(counter.times_ns, counter.values, strict=True):
            yield {"ph": "C", "name": title, "pid": pid, "ts": _us(time - first), "args": {"value": value}}


def _name(kind: str, process: int, thread: int, name: str) -> Event:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _us(ns: int) -> float | int:
    return ns // _NS_PER_US if ns % _NS_PER_US == 0 else ns / _NS_PER_US


def _base(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name
