"""What slices take together, by name: of a stretch of time, of some lanes, and the longest of all."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .model import NONE, Profile
from .rows import Rows
from .spans import median


@dataclass(frozen=True)
class NameUse:
    """Slices of one name and line: ``total_ns`` is their time inside of the stretch, ``median_ns`` and ``longest_ns``
    of them as they are, ``longest`` the index of the longest."""

    count: int
    total_ns: int
    median_ns: int
    longest_ns: int
    longest: int


def statistics_of(
    rows: Rows, lanes: Iterable[int], start: int, end: int, lines: Sequence[int] = ()
) -> tuple[NameUse, ...]:
    """Of the slices with a part in ``start`` up to ``end`` (ns since the origin of the clock), each name and line for
    itself, most time first. ``lines`` has for each of the profile's places the one that it counts to."""
    columns = rows.profile.slices
    durations, names, places = columns.duration_ns, columns.name, columns.place
    inside: dict[tuple[int, int], int] = defaultdict(int)
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for lane in lanes:
        for row in rows.of(lane):
            for at in row.between(start, end):
                index = row.slices[at]
                place = places[index]
                what = names[index], lines[place] if lines and place != NONE else place
                inside[what] += max(0, min(end, row.ends[at]) - max(start, row.starts[at]))
                found[what].append(index)
    made = []
    for what, indices in found.items():
        longest = max(indices, key=durations.__getitem__)
        typical = median([durations[index] for index in indices])
        made.append(NameUse(len(indices), inside[what], typical, durations[longest], longest))
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


def slices_named(profile: Profile, query: str, lines: Sequence[str]) -> tuple[int, ...]:
    """Slices whose name, what the profiler tells beside it, or the text of whose line contains ``query``; in the
    order of time. ``lines`` are texts for the profile's places, empty where none is known."""
    texts, wanted, columns = named(profile, query), query.casefold(), profile.slices
    places = {at for at, line in enumerate(lines) if wanted and wanted in line.casefold()}
    if not texts and not places:
        return ()
    triples = enumerate(zip(columns.name, columns.detail, columns.place, strict=True))
    found = [index for index, (name, detail, place) in triples if name in texts or detail in texts or place in places]
    return tuple(sorted(found, key=columns.start_ns.__getitem__))
