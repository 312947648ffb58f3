"""What the pane below a timeline tells: lines of text, each with the slice that it leads to."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilescope_passdiff.render.timeline import time_text
from tilescope_passdiff.tui.lanes import View
from tilescope_passdiff.tui.paint import clean
from tilescope_trace.limits import limits_of
from tilescope_trace.model import RecordingInfo
from tilescope_trace.occupancy import occupancy, registers_known
from tilescope_trace.profile.balance import Unit, units_of, waves_of
from tilescope_trace.profile.model import NONE
from tilescope_trace.profile.rows import path_of
from tilescope_trace.profile.statistics import longest, statistics_of
from tilescope_trace.profile.verdict.verdict import Verdict
from tilescope_trace.store.read import Recording

from .profiles import Attached, Measured, pipeline_of

LONGEST = 100
_UNITS = 200
"""Names, SMs and cores that are listed at most."""


@dataclass(frozen=True)
class Told:
    """``style`` is a name of `Styles`; ``slice`` the index of the slice that Enter goes to, None for none."""

    text: str
    style: str = "text"
    slice: int | None = None


def slice_words(attached: Attached, index: int | None) -> Iterator[Told]:
    """All that is known of one slice, and of the launch that it lies in."""
    if index is None:
        yield Told("no slice is selected: → selects the first one in view, a click any", "dim")
        return
    profile, columns = attached.profile, attached.profile.slices
    yield Told(clean(attached.label(index)), "bold", index)
    lane = " › ".join(profile.lanes[one].title for one in path_of(profile, columns.lane[index]))
    start = attached.rows.start_of(index)
    yield Told(f"{time_text(columns.duration_ns[index])}, from {time_text(start)} on · {clean(lane)}")
    detail = columns.detail[index]
    if detail != NONE:
        yield Told(clean(profile.texts[detail]), "dim")
    place = columns.place[index]
    if place != NONE:
        frames = ", ".join(f"{Path(frame.file).name}:{frame.line}" for frame in profile.places[place])
        yield Told(f"{clean(frames)} · Enter goes there", "pointer")
    launch = attached.launch_of(index)
    if launch is not None:
        one, join = launch
        size = " ".join(
            f"{name} {'×'.join(map(str, extent))}"
            for name, extent in (("grid", one.grid), ("block", one.block))
            if extent
        )
        yield Told(clean(f"launch of {one.name} {size}"))
        yield Told(clean(f"{join.match}: {join.reason}"), "dim" if join.recording is not None else "changed")


def profile_words(attached: Attached, measured: Measured) -> Iterator[Told]:
    """What the profile is, which launches are of the recording, the verdict, and what a reader must know."""
    profile = attached.profile
    devices = ", ".join(dict.fromkeys(device.name for device in profile.devices))
    launches = sum(launch.count for launch in profile.launches)
    parts = [
        profile.path.name,
        profile.format,
        devices,
        _count(launches, "launch", "launches"),
        _count(len(profile.slices), "slice", "slices"),
    ]
    yield Told(clean(" · ".join(part for part in parts if part)), "bold")
    if profile.nothing_to_show:
        yield Told(clean(f"nothing to show: {profile.nothing_to_show}"), "changed")
    reasons = Counter((attached.joins[index].match, attached.joins[index].reason) for index in attached.own)
    for (match, reason), count in reasons.items():
        style = "changed" if match == "ambiguous" else "text"
        yield Told(clean(f"{count} of this recording, {match}: {reason}"), style)
    if not attached.own and attached.joins:
        yield Told(clean(f"no launch is of this recording: {attached.joins[0].reason}"), "changed")
    yield Told(clean(measured.telling), "text" if measured.heat is not None else "changed")
    if measured.verdict is not None:
        yield from _verdict(measured.verdict)
    for note in profile.notes:
        yield Told(clean(f"note: {note.message}"), "dim")
    for problem in measured.problems:
        yield Told(clean(problem), "error")


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _verdict(verdict: Verdict) -> Iterator[Told]:
    bound = (
        verdict.bound if verdict.bound != "unknown" else f"unknown: {' or '.join(verdict.possible) or 'nothing fits'}"
    )
    yield Told(clean(f"bound by {bound}" if verdict.bound != "unknown" else f"bound {bound}"), "bold")
    for text in verdict.evidence:
        yield Told(clean(f"  {text}"))
    for remark in verdict.remarks:
        yield Told(clean(f"  {remark.text}"))


def statistics_words(attached: Attached, view: View, marked: bool) -> Iterator[Told]:
    """Slices by name in a stretch of time: what is in view, or what was ``marked``."""
    profile = attached.profile
    lanes = [index for index, lane in enumerate(profile.lanes) if lane.kind not in ("overview", "annotation")]
    found = statistics_of(attached.rows, lanes, view.start, view.end, attached.same_lines)
    total = sum(use.total_ns for use in found) or 1
    what = "marked" if marked else "in view"
    yield Told(
        f"{what}: {time_text(view.start)} to {time_text(view.end)}, {sum(use.count for use in found):,} slices",
        "bold",
    )
    if found:
        yield Told(f"{'count':>9} {'total':>10} {'share':>6} {'median':>10} {'longest':>10}  name", "dim")
    for use in found[:_UNITS]:
        numbers = f"{time_text(use.total_ns):>10} {use.total_ns / total:>6.1%} {time_text(use.median_ns):>10}"
        yield Told(
            clean(f"{use.count:>9,} {numbers} {time_text(use.longest_ns):>10}  {attached.label(use.longest)}"),
            slice=use.longest,
        )


def longest_words(attached: Attached) -> Iterator[Told]:
    """The longest slices."""
    found = longest(attached.profile, LONGEST)
    columns = attached.profile.slices
    yield Told(f"the {len(found)} longest of {len(columns):,} slices: Enter goes to one", "bold")
    for index in found:
        lane = attached.profile.lanes[columns.lane[index]].title
        start = time_text(attached.rows.start_of(index))
        took = time_text(columns.duration_ns[index])
        yield Told(clean(f"{took:>10}  from {start:<10} {lane[:16]:<16}  {attached.label(index)}"), slice=index)


def pipeline_words(attached: Attached, recording: Recording) -> Iterator[Told]:
    """Producer and consumer, stage by stage."""
    found = pipeline_of(attached, recording)
    if found is None:
        why = "clock stamps of a warp-specialized kernel (tilescope profile) and lanes of Ascend's pipes tell"
        yield Told(f"{why} how a pipeline works and waits; this profile has neither of this kernel", "dim")
        return
    sides = ", ".join(f"{side} works {share:.0%}" for side, share in found.working.items())
    yield Told(clean(f"{found.about}: {sides}"), "bold")
    yield Told(f"overlap {found.overlap:.1%} of the time, bubbles {found.bubbles:.1%}")
    yield Told(found.remark, "dim")
    yield Told(f"{'side':<9} {'stage':>5} {'share':>6}              {'median':>9} {'times':>7}  what", "dim")
    for step in found.steps:
        stage = "" if step.stage is None else str(step.stage)
        bar = "█" * round(step.share * 12) or "▏"
        text = attached.texts.get((Path(step.place.file).name, step.place.line)) if step.place else None
        waiting = f"waits for {step.waits_for}: " if step.waits_for else "waits: " if step.waits else ""
        what = f"{waiting}{text or step.text}"
        numbers = f"{step.share:>6.1%} {bar:<12} {time_text(step.median_ns):>9} {step.times:>7,}"
        yield Told(clean(f"{step.side:<9} {stage:>5} {numbers}  {what}"), "changed" if step.waits else "text")


def balance_words(attached: Attached, info: RecordingInfo) -> Iterator[Told]:
    """Waves of blocks, and how evenly SMs or cores are busy."""
    profile, own = attached.profile, attached.own
    launch = profile.launches[own[0]] if own else None
    count = max((device.multiprocessors or 0 for device in profile.devices), default=0)
    fits = _blocks_at_once(info)
    waves = waves_of(launch, count, fits) if launch is not None else None
    if waves is not None:
        last = f", the last with {waves.rest:,} of {waves.at_once:,}" if waves.rest else ""
        number = waves.full + (waves.rest > 0)
        yield Told(
            f"{waves.blocks:,} blocks, {fits} on each of {count} SMs at once: "
            f"{number} wave{'s' * (number != 1)}{last}; {waves.filled:.0%} of all places are used",
            "bold",
        )
    else:
        yield Told("waves: the profile or the recording leaves out the grid, the SMs or the occupancy", "dim")
    units = units_of(profile, frozenset(own) if own else None)
    if not units:
        yield Told("balance: this profile has no lanes of SMs or cores", "dim")
        return
    yield from _units(units)


def _blocks_at_once(info: RecordingInfo) -> int | None:
    """Blocks that an SM holds, by what is known of the lowering."""
    kernel, limits = info.kernel, limits_of(info.kernel.target)
    launch = kernel.launch
    threads = launch.threads_lowered or launch.threads if launch is not None else None
    if limits is None or launch is None or not isinstance(threads, int):
        return None
    shared = (launch.shared_dynamic_bytes or 0) + (launch.shared_static_bytes or 0)
    found = occupancy(limits, threads, shared, registers_known(kernel, limits))
    return found.blocks_per_sm if found is not None else None


def _units(units: Sequence[Unit]) -> Iterator[Told]:
    times = sorted(unit.busy_ns for unit in units)
    typical = statistics.median_high(times)
    yield Told(
        f"{len(units)} with slices: busy {time_text(times[0])} to {time_text(times[-1])}, median {time_text(typical)}"
        f"; the busiest {times[-1] / (typical or 1):.2f} × the median"
    )
    most = times[-1] or 1
    for unit in units[:_UNITS]:
        bar = "█" * round(unit.busy_ns / most * 24)
        blocks = f"{unit.blocks:,} block{'s' * (unit.blocks != 1)}" if unit.blocks else ""
        yield Told(clean(f"{unit.title[:16]:<16} {time_text(unit.busy_ns):>10} {bar:<24} {blocks}"))
