"""How producer and consumer of a pipeline work and wait, where stamps or the pipe lanes of Ascend's cores show it.

*Overlap* is the time in which both work, *bubbles* the time in which no consumer does, both as shares of the time of
the sampled blocks, respectively of the cores, from the first slice to the last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .model import NONE, Place, Profile
from .rows import path_of
from .spans import median
from .stalls import is_wait
from .stamps.document import StampedKernel, StampSite
from .stamps.shares import intervals, side
from .stamps.words import waited_for

Span = tuple[int, int]
_Group = tuple[str, bool, "str | None", "Place | int"]
_COPIES, _COMPUTES = ("MTE1", "MTE2", "MTE3"), ("CUBE", "VECTOR")


@dataclass(frozen=True)
class Step:
    """What one side does at one place: ``stage`` is the stage of the pipeline (None where a statement is not in its
    loop, or stages are not known), ``share`` of the side's time, ``waits`` whether it waits for the other side,
    ``place`` its Python line and ``line`` the first of the generated source (0 where there is none); ``waits_for``
    data, a free stage, wgmma ..., None for work and where that is not known."""

    side: str
    text: str
    stage: int | None
    waits: bool
    times: int
    median_ns: int
    share: float
    place: Place | None = None
    line: int = 0
    waits_for: str | None = None


@dataclass(frozen=True)
class Pipeline:
    """``working`` is the share of its time in which each side does not wait for the other."""

    about: str
    working: Mapping[str, float]
    overlap: float
    bubbles: float
    steps: tuple[Step, ...]
    remark: str


def of_stamps(kernel: StampedKernel, stages: int | None) -> Pipeline | None:
    """The sampled blocks of a warp-specialized kernel; None for one whose warps all do the same. Statements of a loop
    are told by stage where it is known how many ``stages`` there are."""
    sites = {site.number: site for site in kernel.sites}
    rate = kernel.clock_ghz or 1.0
    work: dict[tuple[int, str], list[Span]] = defaultdict(list)
    alive: dict[int, list[Span]] = defaultdict(list)
    took: dict[tuple[str, _Group, int | None], list[int]] = defaultdict(list)
    groups = {number: _group(site) for number, site in sites.items()}
    firsts: dict[_Group, StampSite] = {}
    for site in sorted(sites.values(), key=lambda site: site.line):
        firsts.setdefault(groups[site.number], site)
    for warp in kernel.warps:
        name = side(kernel, warp)
        if not name:
            return None
        seen: dict[int, int] = defaultdict(int)
        loops = _looping(warp.stamps[::2])
        for number, first, end in intervals(warp):
            begin, stop = (warp.start_ns + round(cycles / rate) for cycles in (first, end))
            alive[warp.block].append((begin, stop))
            if not _held_up(sites[number]):
                work[warp.block, name].append((begin, stop))
            stage = seen[number] % stages if stages and number in loops else None
            seen[number] += 1
            took[name, groups[number], stage].append(stop - begin)
    if len({name for name, _, _ in took}) < 2:
        return None
    totals = {name: sum(sum(times) for (own, _, _), times in took.items() if own == name) for name, _, _ in took}
    steps = [
        Step(
            side=name,
            text=firsts[group].text,
            stage=stage,
            waits=_held_up(firsts[group]),
            times=len(times),
            median_ns=median(times),
            share=sum(times) / (totals[name] or 1),
            place=_place(firsts[group]),
            line=firsts[group].line,
            waits_for=waited_for(firsts[group].text, name) if firsts[group].kind == "wait" else None,
        )
        for (name, group, stage), times in took.items()
    ]
    working = {name: sum(step.share for step in steps if step.side == name and not step.waits) for name in totals}
    blocks = sorted(alive)
    total = sum(_length(merged(alive[block])) for block in blocks) or 1
    both = sum(_length(_common(merged(work[block, "producer"]), merged(work[block, "consumer"]))) for block in blocks)
    idle = total - sum(_length(merged(work[block, "consumer"])) for block in blocks)
    return Pipeline(
        about=f"{len(blocks)} sampled blocks of {kernel.symbol}",
        working=dict(sorted(working.items(), reverse=True)),
        overlap=both / total,
        bubbles=idle / total,
        steps=tuple(sorted(steps, key=lambda one: (one.side != "producer", one.line, one.stage or 0))),
        remark="a producer's work is to start copies: how long these take shows in the consumer's waits",
    )


def _group(site: StampSite) -> _Group:
    """Sites of one Python line that do the same, or wait for the same, are one step."""
    place = _place(site)
    return site.kind, _held_up(site), waited_for(site.text, "") if site.kind == "wait" else None, place or site.number


def _held_up(site: StampSite) -> bool:
    """At a barrier; a consumer that waits for its own tensor cores works."""
    return site.kind == "wait" and site.role == "barrier"


def _looping(numbers: Sequence[int]) -> frozenset[int]:
    counts: dict[int, int] = defaultdict(int)
    for number in numbers:
        counts[number] += 1
    return frozenset(number for number, count in counts.items() if count > 1)


def _place(site: StampSite) -> Place | None:
    return Place(site.origins[0].file, site.origins[0].line) if site.origins else None


def of_pipes(profile: Profile) -> Pipeline | None:
    """The cores of an Ascend profile with lanes for their pipes; None for any other."""
    lanes = {index: lane for index, lane in enumerate(profile.lanes) if lane.kind == "pipe"}
    kinds = {index: lane.title.split(" ")[0] for index, lane in lanes.items()}
    spans: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    columns = profile.slices
    for lane, start, duration, name in zip(
        columns.lane, columns.start_ns, columns.duration_ns, columns.name, strict=True
    ):
        if lane in lanes:
            spans[lane].append((start, start + duration, is_wait(profile.texts[name])))
    cores: dict[int, list[int]] = defaultdict(list)
    for lane in spans:
        cores[path_of(profile, lane)[-2] if lanes[lane].parent != NONE else NONE].append(lane)
    total = both = idle = 0
    for own in cores.values():
        first = min(start for lane in own for start, _, _ in spans[lane])
        last = max(end for lane in own for _, end, _ in spans[lane])
        copies = merged(_working(spans, own, kinds, _COPIES))
        computes = merged(_working(spans, own, kinds, _COMPUTES))
        total += last - first
        both += _length(_common(copies, computes))
        idle += last - first - _length(computes)
    if not total:
        return None
    steps = tuple(_pipe_steps(spans, kinds))
    every = {
        name: sum(step.share for step in steps if step.side == name and not step.waits) for name in kinds.values()
    }
    return Pipeline(
        about=f"{len(cores)} core{'s' * (len(cores) != 1)}",
        working={name: share for name, share in every.items() if any(step.side == name for step in steps)},
        overlap=both / total,
        bubbles=idle / total,
        steps=steps,
        remark="overlap is of copies (MTE1, MTE2, MTE3) with CUBE or VECTOR, bubbles are times without these two",
    )


def _working(
    spans: Mapping[int, Sequence[tuple[int, int, bool]]],
    own: Sequence[int],
    kinds: Mapping[int, str],
    of: Sequence[str],
) -> Iterator[Span]:
    return ((start, end) for lane in own if kinds[lane] in of for start, end, waits in spans[lane] if not waits)


def _pipe_steps(spans: Mapping[int, Sequence[tuple[int, int, bool]]], kinds: Mapping[int, str]) -> Iterator[Step]:
    """Work and waits of each kind of pipe; shares are of the time from first to last slice, over all cores."""
    for kind in dict.fromkeys(kinds[lane] for lane in spans):
        own = [spans[lane] for lane in spans if kinds[lane] == kind]
        whole = sum(max(end for _, end, _ in one) - min(start for start, _, _ in one) for one in own) or 1
        for waits in (False, True):
            found = [[(start, end) for start, end, wait in one if wait == waits] for one in own]
            times = [end - start for one in found for start, end in one]
            if times:
                share = sum(_length(merged(one)) for one in found) / whole
                yield Step(kind, "waits" if waits else "instructions", None, waits, len(times), median(times), share)


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same time without overlaps, in order."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _length(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)


def _common(a: Sequence[Span], b: Sequence[Span]) -> Iterator[Span]:
    """What lies in both; each in order and without overlaps."""
    i = j = 0
    while i < len(a) and j < len(b):
        start, end = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if start < end:
            yield start, end
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
