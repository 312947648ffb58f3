"""The slices of each lane in the order of time, in rows without overlaps: what a timeline of any size is drawn from.

Looking anything up costs the logarithm of the slices of one lane: drawing costs what is drawn, not all that there is.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from .model import NONE, Profile
from .stalls import is_wait


@dataclass(frozen=True)
class Row:
    """One row of a lane: ``starts`` and ``ends`` in ns since the origin of the lane's clock, ``slices`` (indices into
    the profile's), all in the order of time. ``busy`` is the time in slices before each of them, and in all;
    ``waiting`` that of those among them that wait for another lane."""

    starts: array[int]
    ends: array[int]
    slices: array[int]
    busy: array[int]
    waiting: array[int]

    def waits(self, position: int) -> bool:
        """Whether the slice at ``position`` waits for another lane."""
        return self.waiting[position + 1] > self.waiting[position]

    def between(self, start: int, end: int) -> range:
        """Positions in the row of what lies, with any part of it, in ``start`` up to ``end``."""
        return range(bisect_left(self.ends, start), bisect_right(self.starts, end))

    def at(self, time: int) -> int | None:
        """The position of the slice at ``time``, else of the one that begins next, else of the last."""
        if not self.starts:
            return None
        return min(bisect_right(self.ends, time), len(self.starts) - 1)


@dataclass
class Rows:
    """The rows of a profile's lanes, the innermost slices lowest; a lane's are made when they are first asked for.
    ``span`` is first start and last end over all lanes, each counted from the origin of its own clock."""

    profile: Profile
    span: tuple[int, int]
    _members: list[array[int]]
    _origins: list[int]
    _waits: frozenset[int]
    _made: dict[int, tuple[Row, ...]] = field(default_factory=dict)

    def of(self, lane: int) -> tuple[Row, ...]:
        """The rows of a lane; none where it has no slices of its own."""
        if lane not in self._made:
            self._made[lane] = _rows(self.profile, self._members[lane], self._origins[lane], self._waits)
        return self._made[lane]

    def count(self, lane: int) -> int:
        """Slices of a lane."""
        return len(self._members[lane])

    def members(self, lane: int) -> array[int]:
        """The slices of a lane, in the order of the file."""
        return self._members[lane]

    def start_of(self, index: int) -> int:
        """When a slice starts, since the origin of its lane's clock."""
        return self.profile.slices.start_ns[index] - self._origins[self.profile.slices.lane[index]]

    def place_of(self, index: int) -> tuple[int, int]:
        """The row of a slice in its lane, and its position there."""
        start = self.start_of(index)
        for level, row in enumerate(self.of(self.profile.slices.lane[index])):
            at = bisect_left(row.starts, start)
            while at < len(row.starts) and row.starts[at] == start:
                if row.slices[at] == index:
                    return level, at
                at += 1
        raise LookupError(index)


def rows_of(profile: Profile) -> Rows:
    """The rows of ``profile``; clocks that must not be compared each count from their own first slice."""
    columns = profile.slices
    members: list[array[int]] = [array("i") for _ in profile.lanes]
    append = [one.append for one in members]
    for index, lane in enumerate(columns.lane):
        append[lane](index)
    starts, durations = columns.start_ns, columns.duration_ns
    first: dict[str, int] = {}
    for known, found in zip(profile.lanes, members, strict=True):
        if found:
            begin = min(map(starts.__getitem__, found))
            first[known.clock] = min(begin, first.get(known.clock, begin))
    origins = [first.get(known.clock, 0) for known in profile.lanes]
    last = 0
    for number, found in enumerate(members):
        if found:
            end = max(map(int.__add__, map(starts.__getitem__, found), map(durations.__getitem__, found)))
            last = max(last, end - origins[number])
    waits = frozenset(at for at, text in enumerate(profile.texts) if is_wait(text))
    return Rows(profile, (0, last), members, origins, waits)


def _rows(profile: Profile, members: array[int], origin: int, waits: frozenset[int]) -> tuple[Row, ...]:
    """A slice lies one row below the innermost that goes on while it starts."""
    starts, durations, names = profile.slices.start_ns, profile.slices.duration_ns, profile.slices.name
    order = sorted(members, key=lambda index: (starts[index], -durations[index]))
    rows: list[Row] = []
    open_until: list[int] = []
    for index in order:
        start = starts[index] - origin
        while open_until and open_until[-1] <= start:
            open_until.pop()
        level = len(open_until)
        end = start + durations[index]
        open_until.append(end)
        if level == len(rows):
            rows.append(Row(array("q"), array("q"), array("i"), array("q", [0]), array("q", [0])))
        row = rows[level]
        row.starts.append(start)
        row.ends.append(end)
        row.slices.append(index)
        row.busy.append(row.busy[-1] + durations[index])
        row.waiting.append(row.waiting[-1] + (durations[index] if names[index] in waits else 0))
    return tuple(rows)


def path_of(profile: Profile, lane: int) -> tuple[int, ...]:
    """A lane with all that it lies under, the outermost first."""
    found = [lane]
    while profile.lanes[found[0]].parent != NONE:
        found.insert(0, profile.lanes[found[0]].parent)
    return tuple(found)
