"""Profiles as JSON and as text: launches by kernel with their recordings, lanes, hot lines, notes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tilescope_trace.model.public import document, to_public
from tilescope_trace.profile.spans import median
from tilescope_trace.profile.stalls import top_stall
from tilescope_trace.profile.timeline import TimelineFile, TimelineJoin, TimelineLane, TimelineLaunch
from tilescope_trace.profile.verdict.verdict import Verdict

from .terminal.controls import visible
from .timeline_parts import parts_table
from .verdict import Judged, verdict_text

TIMELINE: dict[str, Any] = {"files": tuple[TimelineFile, ...], "verdicts": tuple[Judged, ...]}
"""Keys and types of the document, for the published schema."""

MOST_LANES = 24
"""Lanes that are listed one by one; more of them are counted by kind."""

MOST_PATH = 32
"""Characters of a path beside samples, so that shares and stalls keep their room in 80 columns."""

_FIRST_SENTENCE = re.compile(r".+?[.!?](?=\s+[A-Z])", re.DOTALL)
"""Of a text with several. Rules of Nsight Compute write up to 900 characters."""

_STYLES = {"exact": "green", "unique": "green", "ambiguous": "yellow", "none": "dim"}


@dataclass(frozen=True)
class Shown:
    """What the text holds: kernels whose name contains ``kernel``, ``lines`` hot lines at most, every launch for
    itself where ``launches`` is set, and more of each note than its first sentence where ``notes`` is."""

    kernel: str = ""
    lines: int = 15
    launches: bool = False
    notes: bool = False


def timeline_json(files: Sequence[TimelineFile], verdicts: Mapping[Path, Verdict] | None = None) -> dict[str, Any]:
    """The document ``timeline``; ``verdicts`` are by recording."""
    judged = tuple(Judged(str(path), verdict) for path, verdict in (verdicts or {}).items())
    return document("timeline", {"files": to_public(tuple(files)), "verdicts": to_public(judged)})


def timeline_text(
    files: Sequence[TimelineFile], shown: Shown, verdicts: Mapping[Path, Verdict] | None = None
) -> RenderableType:
    """The same for people, verdicts first."""
    parts: list[RenderableType] = [
        part for path, verdict in (verdicts or {}).items() for part in verdict_text(path.name, verdict)
    ]
    parts += [part for file in files for part in _file(file, shown)]
    return Group(*parts)


def _file(file: TimelineFile, shown: Shown) -> Iterator[RenderableType]:
    yield _headline(file)
    if file.nothing_to_show is not None:
        yield _indented(Text(f"nothing to show: {visible(file.nothing_to_show)}", "yellow"))
    launches = [launch for launch in file.launches if shown.kernel in launch.name]
    if launches:
        yield _indented(_launches(launches) if shown.launches else _kernels(launches))
        yield from (_indented(reason) for reason in _reasons(launches))
    elif file.launches:
        yield _indented(Text(f"no kernel's name contains {visible(shown.kernel)}", "yellow"))
    if file.lanes:
        yield _indented(_lanes(file.lanes))
    cores = parts_table(file.parts)
    if cores is not None:
        yield _indented(cores)
    if file.samples_total:
        yield from (_indented(part) for part in _samples(file, shown))
    yield from (_indented(note) for note in _notes(file, shown))
    yield Text()


def _notes(file: TimelineFile, shown: Shown) -> Iterator[Text]:
    shortened = 0
    for note in file.notes:
        first = _FIRST_SENTENCE.match(note.message)
        if first is None or shown.notes:
            yield Text(f"note: {visible(note.message)}", "yellow")
        else:
            shortened += 1
            yield Text(f"note: {visible(first[0])} …", "yellow")
    if shortened:
        yield Text(f"{_count(shortened, 'note is', 'notes are')} shortened (--notes shows all of them)", "dim")


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2))


def _headline(file: TimelineFile) -> Text:
    line = Text()
    line.append(visible(file.file), "bold")
    line.append(f"  {file.format}")
    names = list(dict.fromkeys(device.name for device in file.devices))
    if names:
        line.append(f", {visible(', '.join(names[:3]))}")
    launches = sum(launch.count for launch in file.launches)
    line.append(f", {_count(launches, 'launch', 'launches')}, {_count(file.slices, 'slice', 'slices')}")
    return line


def _kernels(launches: Sequence[TimelineLaunch]) -> Table:
    """A row for each kernel that is launched alike, those that take longest first."""
    groups: dict[tuple[object, ...], list[TimelineLaunch]] = defaultdict(list)
    for launch in launches:
        groups[launch.name, launch.grid, launch.block, _outcome(launch.recording)].append(launch)
    rows = []
    for group in sorted(groups.values(), key=lambda group: -_total(group)):
        first = group[0]
        single = [launch.duration_ns // launch.count for launch in group if launch.duration_ns is not None]
        rows.append(
            {
                "launches": str(sum(launch.count for launch in group)),
                "total": time_text(_total(group)) if single else "",
                "median": time_text(median(single)) if single else "",
                **_described(first),
            }
        )
    return _filled(rows)


def _launches(launches: Sequence[TimelineLaunch]) -> Table:
    starts = [launch.start_ns for launch in launches if launch.start_ns is not None]
    earliest = min(starts, default=0)
    return _filled(
        [
            {
                "#": str(index),
                "start": "" if launch.start_ns is None else time_text(launch.start_ns - earliest),
                "duration": "" if launch.duration_ns is None else time_text(launch.duration_ns),
                **_described(launch),
            }
            for index, launch in enumerate(launches)
        ]
    )


def _described(launch: TimelineLaunch) -> dict[str, str | Text]:
    return {
        "grid": _extent(launch.grid),
        "block": _extent(launch.block),
        "recording": _recording(launch.recording),
        "kernel": Text(visible(launch.name), no_wrap=True, overflow="ellipsis"),
    }


def _filled(rows: Sequence[Mapping[str, str | Text]]) -> Table:
    """A table with the columns that have something in any row."""
    columns = [name for name in rows[0] if any(row[name] for row in rows)]
    table = _table(*columns, right=("#", "launches", "total", "median", "start", "duration"))
    for row in rows:
        table.add_row(*(row[name] for name in columns))
    return table


def _reasons(launches: Sequence[TimelineLaunch]) -> Iterator[Text]:
    """Why each kernel was joined as it was, each reason once."""
    seen = dict.fromkeys((launch.name, launch.recording) for launch in launches if launch.recording is not None)
    for name, join in seen:
        if join is None or (join.match == "none" and join.reason == f"no recording has a kernel {name}"):
            continue
        line = Text(f"{visible(name) or 'unnamed kernel'}: ")
        line.append(join.match, _STYLES[join.match])
        line.append(f", {visible(join.reason)}")
        yield line


def _lanes(lanes: Sequence[TimelineLane]) -> Table:
    depth: list[int] = []
    for lane in lanes:
        depth.append(0 if lane.parent is None else depth[lane.parent] + 1)
    if len(lanes) > MOST_LANES:
        return _lane_kinds(lanes)
    table = _table("lane", "kind", "slices", "busy", right=("slices", "busy"))
    for index in _tree(lanes):
        lane = lanes[index]
        table.add_row(
            "  " * depth[index] + visible(lane.title),
            lane.kind,
            str(lane.slices) if lane.slices else "",
            time_text(lane.busy_ns) if lane.slices else "",
        )
    return table


def _tree(lanes: Sequence[TimelineLane]) -> Iterator[int]:
    """Every lane behind the one it lies under."""
    below: dict[int | None, list[int]] = defaultdict(list)
    for index, lane in enumerate(lanes):
        below[lane.parent].append(index)
    waiting = below[None][::-1]
    while waiting:
        index = waiting.pop()
        yield index
        waiting.extend(below[index][::-1])


def _lane_kinds(lanes: Sequence[TimelineLane]) -> Table:
    table = _table("lanes", "kind", "slices", right=("lanes", "slices"))
    kinds: dict[str, list[TimelineLane]] = defaultdict(list)
    for lane in lanes:
        kinds[lane.kind].append(lane)
    for kind, group in kinds.items():
        table.add_row(str(len(group)), kind, str(sum(lane.slices for lane in group)))
    return table


def _samples(file: TimelineFile, shown: Shown) -> Iterator[RenderableType]:
    counted = _count(file.samples_total or 0, "sample", "samples")
    heading = (
        counted if file.samples_unit == "samples" else f"{file.samples_total:,} {file.samples_unit} of instructions"
    )
    if file.samples_rule:
        heading += f"; {file.samples_rule}"
    if file.unplaced_share:
        heading += f"; {file.unplaced_share:.1%} on no line"
    yield Text(heading)
    if not file.samples:
        return
    table = _table("share", "stall", "line", "source", right=("share",))
    listed = file.samples[: shown.lines] if shown.lines else file.samples
    for sample in listed:
        stall = top_stall(sample.stalls)
        table.add_row(
            f"{sample.share:.1%}",
            (stall or "").replace("_", " "),
            visible(f"{_short(sample.file)}:{sample.line}"),
            Text(visible(sample.text or ""), no_wrap=True, overflow="ellipsis"),
        )
    yield table
    if len(listed) < len(file.samples):
        yield Text(f"{len(file.samples) - len(listed)} more lines (--lines 0 shows all)", "dim")


def _short(path: str) -> str:
    """The end of a path, by whole names, in at most MOST_PATH characters if its last name has no more."""
    names = path.replace("\\", "/").split("/")
    kept = names[-1]
    for name in reversed(names[:-1]):
        if len(path) <= MOST_PATH or len(kept) + len(name) + 3 > MOST_PATH:
            break
        kept = f"{name}/{kept}"
    return path if len(path) <= MOST_PATH else f"…/{kept}"


def _table(*headers: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for header in headers:
        # Only these give way where the terminal is narrow: rich narrows columns that may be wrapped first.
        flexible = header in ("kernel", "source")
        table.add_column(header, justify="right" if header in right else "left", no_wrap=not flexible)
    return table


def _recording(join: TimelineJoin | None) -> Text:
    if join is None:
        return Text()
    if join.file is not None:
        return Text(visible(_name(join.file)), _STYLES[join.match])
    words = f"ambiguous ({len(join.candidates)})" if join.match == "ambiguous" else "none"
    return Text(words, _STYLES[join.match])


def _outcome(join: TimelineJoin | None) -> tuple[object, ...]:
    return () if join is None else (join.match, join.file, frozenset(join.candidates))


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _total(launches: Sequence[TimelineLaunch]) -> int:
    return sum(launch.duration_ns or 0 for launch in launches)


def _extent(extent: tuple[int, int, int] | None) -> str:
    """``16×32`` for (16, 32, 1)."""
    if extent is None:
        return ""
    x, y, z = extent
    return "×".join(str(size) for size in ((x, y, z) if z != 1 else (x, y) if y != 1 else (x,)))


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def time_text(ns: int) -> str:
    """Nanoseconds with a unit that leaves one to three digits before the point."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if abs(ns) >= size:
            return f"{ns / size:.1f} {unit}"
    return f"{ns} ns"
