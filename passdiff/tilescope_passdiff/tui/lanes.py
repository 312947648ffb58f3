"""From the slices of a lane to what stands in the columns of a terminal, before any colour."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tilescope_passdiff.render.timeline import time_text
from tilescope_trace.profile.rows import Row

SHADES = "░▒▓█"
"""For columns that are busy up to a quarter, half, three quarters, and all of their time."""
_LEAST = 1e-6
"""What a slice counts for at least in the column where it starts, so that it is seen."""
_WHOLE = 0.9
"""Share of a column's busy time from which on one slice stands for all of it."""
TICK_CELLS = 14
"""Cells from one mark of the ruler to the next, at least."""
SHORTEST_NS = 20
"""What is in view at least."""


@dataclass(frozen=True)
class View:
    """The stretch of time in view, in ns since the origin of each lane's clock."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Nanoseconds in view."""
        return self.end - self.start

    def zoomed(self, factor: float, center: int, whole: View) -> View:
        """``factor`` times as much time around ``center``, which stays where it is; within ``whole``."""
        length = max(SHORTEST_NS, min(whole.length, round(self.length * factor)))
        share = (center - self.start) / self.length if self.start <= center <= self.end else 0.5
        return View(0, length).moved(round(center - share * length), whole)

    def moved(self, start: int, whole: View) -> View:
        """As much time from ``start`` on, within ``whole``."""
        at = max(whole.start, min(start, whole.end - self.length))
        return View(at, at + self.length)


def around(start: int, end: int, whole: View) -> View:
    """A view in which ``start`` to ``end`` takes three quarters."""
    length = max(SHORTEST_NS, min(whole.length, (end - start) * 4 // 3))
    return View(0, length).moved(start - (length - (end - start)) // 2, whole)


class Scale(NamedTuple):
    """The columns that a stretch of time is drawn in."""

    view: View
    columns: int


class Run(NamedTuple):
    """Columns ``first`` up to ``end`` of one look: ``slice`` is the position in the row of what takes most of their
    time, ``shade`` 0 to 3 how busy they are, ``works`` 0 to 4 how much of that is no waiting. ``one`` is whether they
    are one slice, else there are several to each column."""

    first: int
    end: int
    slice: int
    shade: int
    works: int
    one: bool


_Look = tuple[int, int, bool, int]
"""Shade, work, whether it is one slice, and which (-1 where it is several): columns of one look are one run."""
_Column = tuple[_Look | None, int]
"""The look of a column (None for an empty one), and the slice that has most of it."""
Known = dict[int, _Column]
"""Columns of one row that were worked out, by their number from the origin of time; all of one width."""


def runs(row: Row, view: View, columns: int, known: Known | None = None) -> list[Run]:
    """What is to be drawn of ``row`` in ``columns`` columns; columns without a slice are in no run. ``known`` is kept
    by the caller while ``columns`` and the length of the view are the same: panning then costs what is new."""
    inside = row.between(view.start, view.end)
    if not inside or columns <= 0:
        return []
    few = len(inside) <= columns
    found: list[Run] = []
    look, first, end, owner = None, 0, 0, 0
    for column, (here, index) in (
        _each_slice(row, view, columns, inside) if few else _each_column(row, view, columns, known)
    ):
        if here != look or column != end:
            if look is not None:
                found.append(Run(first, end, owner, look[0], look[1], look[2]))
            look, first, owner = here, column, index
        end = column + 1
    if look is not None:
        found.append(Run(first, end, owner, look[0], look[1], look[2]))
    return found


def _looking(busy: float, waiting: float, index: int, most: float) -> _Column:
    """Of a column that is ``busy`` with slices for these shares of its time, ``most`` of it with ``index``."""
    if not busy:
        return None, index
    shade = min(3, int(busy * 4))
    one = shade == 3 and most >= _WHOLE * busy
    return (shade, round(4 * (1 - waiting / busy)), one, index if one else -1), index


def _each_slice(row: Row, view: View, columns: int, inside: range) -> Iterator[tuple[int, _Column]]:
    """Slices one after the other; those that share a column are added up."""
    starts, ends, scale = row.starts, row.ends, columns / view.length
    here, busy, waiting, owner, most = -1, 0.0, 0.0, 0, 0.0
    for at in inside:
        left = max(0.0, (starts[at] - view.start) * scale)
        right = min(float(columns), (ends[at] - view.start) * scale)
        waits, first = row.waits(at), int(left)
        for column in range(first, min(columns, max(first + 1, math.ceil(right)))):
            if column != here:
                if here >= 0:
                    yield here, _looking(busy, waiting, owner, most)
                here, busy, waiting, owner, most = column, 0.0, 0.0, at, 0.0
            part = max(_LEAST, min(right, column + 1) - max(left, column))
            busy += part
            waiting += part if waits else 0.0
            if part > most:
                owner, most = at, part
    if here >= 0:
        yield here, _looking(busy, waiting, owner, most)


def _each_column(row: Row, view: View, columns: int, known: Known | None) -> Iterator[tuple[int, _Column]]:
    """Where there are many slices to a column: columns of a grid from the origin of time, so that a view that moves
    has most of them already."""
    known = {} if known is None else known
    first = round(view.start * columns / view.length)
    missing = [number for number in range(first, first + columns) if number not in known]
    if missing:
        known.update(_grid(row, view.length, columns, missing[0], missing[-1] + 1))
    return enumerate(known[number] for number in range(first, first + columns))


def _grid(row: Row, length: int, columns: int, first: int, end: int) -> Iterator[tuple[int, _Column]]:
    """Columns ``first`` up to ``end``, ``columns`` of them as wide as ``length``. The slice at its left edge stands
    for a column, or the first one in it."""
    starts, ends, busy, waiting = row.starts, row.ends, row.busy, row.waiting
    each, stop = length / columns, len(starts)
    at = before = spent = waited = left = 0
    for number in range(first, end + 1):
        edge = number * length // columns
        at = bisect_right(starts, edge, at)
        spent_before, waited_before, spent, waited = spent, waited, 0, 0
        if at:
            inside = min(edge, ends[at - 1]) - starts[at - 1]
            spent = busy[at - 1] + inside
            waited = waiting[at - 1] + (inside if waiting[at] > waiting[at - 1] else 0)
        if number > first:
            owner = before - 1 if before and ends[before - 1] > left else min(before, stop - 1)
            part = max(0, min(ends[owner], edge) - max(starts[owner], left))
            shares = (spent - spent_before) / each, (waited - waited_before) / each
            yield number - 1, _looking(*shares, owner, part / each)
        before, left = at, edge


def apart(found: list[Run], row: Row, scale: Scale, at: int) -> list[Run]:
    """``found`` with the slice at position ``at`` of the row in columns of its own, one at least, wherever it shares
    them with others; none where it is not in view."""
    view, columns = scale
    start, end = row.starts[at], row.ends[at]
    if end < view.start or start >= view.end or any(run.one and run.slice == at for run in found):
        return found
    first = max(0, min(column_of(start, view, columns), columns - 1))
    stop = max(first + 1, min(round((end - view.start) * columns / view.length), columns))
    own = Run(first, stop, at, 3, 4, True)
    before = [run._replace(end=min(run.end, first)) for run in found if run.first < first]
    behind = [run._replace(first=max(run.first, stop)) for run in found if run.end > stop]
    return [*before, own, *behind]


def with_any(row: Row, positions: Sequence[int], scale: Scale, run: Run) -> Iterator[tuple[int, bool]]:
    """The columns of ``run`` from left to right in stretches, each with its length and whether any of the slices at
    ``positions`` (ascending) lies in it."""

    def end_of(at: int) -> float:
        return max(row.ends[at], row.starts[at] + _LEAST)

    view, columns = scale
    length, before = 0, False
    for column in range(run.first, run.end):
        left, right = (view.start + view.length * edge / columns for edge in (column, column + 1))
        next_one = bisect_right(positions, left, key=end_of)
        here = next_one < len(positions) and row.starts[positions[next_one]] < right
        if here != before and length:
            yield length, before
            length = 0
        length, before = length + 1, here
    if length:
        yield length, before


def column_of(time: int, view: View, columns: int) -> int:
    """The column in which ``time`` lies; it may be outside of those that are drawn."""
    return (time - view.start) * columns // view.length


def time_at(column: int, view: View, columns: int) -> int:
    """The time in the middle of a column."""
    return view.start + view.length * (2 * column + 1) // (2 * max(1, columns))


def ruler(view: View, columns: int) -> list[tuple[int, str]]:
    """Columns of marks at round times, each with its text."""
    step = _round_step(view.length * TICK_CELLS / max(1, columns))
    first = -(-view.start // step) * step
    return [(column_of(time, view, columns), _tick(time, step)) for time in range(first, view.end, step)]


def _round_step(least: float) -> int:
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if step >= least:
                return step
        size *= 10


def _tick(time: int, step: int) -> str:
    """A time with as many digits as neighbours need to differ."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if time >= size:
            digits = 0
            while step * 10**digits < size and digits < 9:
                digits += 1
            return f"{time / size:.{digits}f} {unit}"
    return time_text(time)
