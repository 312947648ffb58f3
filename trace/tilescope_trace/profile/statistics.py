"""What slices take together, by name: of a stretch of time, of some lanes, and the longest of all."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .model import NONE, Profile
from .rows import Rows
from .spans import median


@dataclass(frozen=True)
class NameUse:
    """Slices of one name: ``total_ns`` is their time inside of the stretch, ``median_ns`` and ``longest_ns`` of them
    as they are."""

    name: str
    count: int
    total_ns: int
    median_ns: int
    longest_ns: int
    longest: int


def statistics_of(rows: Rows, lanes: Iterable[int], start: int, end: int) -> tuple[NameUse, ...]:
    """Of the slices with a part in ``start`` up to ``end`` (ns since the origin of the clock), most time first."""
    durations, names = rows.profile.slices.duration_ns, rows.profile.slices.name
    inside: dict[int, int] = defaultdict(int)
    found: dict[int, list[int]] = defaultdict(list)
    for lane in lanes:
        for row in rows.of(lane):
            for at in row.between(start, end):
                index = row.slices[at]
                inside[names[index]] += max(0, min(end, row.ends[at]) - max(start, row.starts[at]))
                found[names[index]].append(index)
    made = []
    for name, indices in found.items():
        longest = max(indices, key=durations.__getitem__)
        typical = median([durations[index] for index in indices])
        text = rows.profile.texts[name]
        made.append(NameUse(text, len(indices), inside[name], typical, durations[longest], longest))
    return tuple(sorted(made, key=lambda use: -use.total_ns))


def longest(profile: Profile, count: int) -> tuple[int, ...]:
    """Indices of the ``count`` longest slices; lanes that repeat what others show are left out."""
    columns, lanes = profile.slices, profile.lanes
    wanted = [lane.kind not in ("overview", "annotation") for lane in lanes]
    indices = (index for index, lane in enumerate(columns.lane) if wanted[lane])
    return tuple(heapq.nlargest(count, indices, key=columns.duration_ns.__getitem__))


def named(profile: Profile, query: str) -> frozenset[int]:
    """Indices into the profile's texts of those that contain ``query``, whatever their case."""
    wanted = query.casefold()
    return (
        frozenset(at for at, text in enumerate(profile.texts) if wanted in text.casefold()) if wanted else frozenset()
    )


def slices_named(profile: Profile, query: str) -> tuple[int, ...]:
    """Slices whose name, or what the profiler tells beside it, contains ``query``; in the order of time."""
    texts, columns = named(profile, query), profile.slices
    if not texts:
        return ()
    pairs = enumerate(zip(columns.name, columns.detail, strict=True))
    found = [index for index, (name, detail) in pairs if name in texts or (detail != NONE and detail in texts)]
    return tuple(sorted(found, key=columns.start_ns.__getitem__))
