"""From the slices of a lane to what stands in the columns of a terminal, before any colour."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Run:
    """Columns ``first`` up to ``end`` of one look: ``slice`` is the position in the row of what takes most of their
    time, ``shade`` 0 to 3 how busy they are, ``works`` 0 to 4 how much of that is no waiting. ``one`` is whether they
    are one slice, else there are several to each column."""

    first: int
    end: int
    slice: int
    shade: int
    works: int
    one: bool


def runs(row: Row, view: View, columns: int) -> list[Run]:
    """What is to be drawn of ``row`` in ``columns`` columns; columns without a slice are in no run."""
    inside = row.between(view.start, view.end)
    if not inside or columns <= 0:
        return []
    few = len(inside) <= 4 * columns
    found: list[Run] = []
    for column, cell in enumerate(
        _each_slice(row, view, columns, inside) if few else _each_column(row, view, columns)
    ):
        if not cell.busy:
            continue
        shade, works = min(3, int(cell.busy * 4)), round(4 * (1 - cell.waiting / cell.busy))
        one = shade == 3 and cell.most >= _WHOLE * cell.busy
        run = Run(column, column + 1, cell.slice, shade, works, one)
        last = found[-1] if found else None
        if last is not None and last.end == column and _alike(last, run):
            run = Run(last.first, column + 1, last.slice, shade, works, one)
            found.pop()
        found.append(run)
    return found


def _alike(a: Run, b: Run) -> bool:
    return (a.shade, a.works, a.one) == (b.shade, b.works, b.one) and (not a.one or a.slice == b.slice)


@dataclass(slots=True)
class _Cell:
    """Shares of one column: in slices, in those that wait, and in ``slice``, which has ``most``."""

    busy: float = 0.0
    waiting: float = 0.0
    slice: int = 0
    most: float = 0.0


def _each_slice(row: Row, view: View, columns: int, inside: range) -> list[_Cell]:
    cells = [_Cell() for _ in range(columns)]
    scale = columns / view.length
    for at in inside:
        left = max(0.0, (row.starts[at] - view.start) * scale)
        right = min(float(columns), (row.ends[at] - view.start) * scale)
        column, waits = int(left), row.waits(at)
        while column < columns and (column < right or column == int(left)):
            part = max(_LEAST, min(right, column + 1) - max(left, column))
            cell = cells[column]
            cell.busy += part
            if waits:
                cell.waiting += part
            if part > cell.most:
                cell.most, cell.slice = part, at
            column += 1
    return cells


def _each_column(row: Row, view: View, columns: int) -> list[_Cell]:
    """Where there are many slices to a column, that at its left edge stands for them, or the first one in it."""
    starts, ends, busy, waiting = row.starts, row.ends, row.busy, row.waiting
    each, stop = view.length / columns, len(starts)
    cells: list[_Cell] = []
    at = before = spent = waited = left = 0
    for column in range(columns + 1):
        edge = view.start + view.length * column // columns
        at = bisect_right(starts, edge, at)
        spent_before, waited_before, spent, waited = spent, waited, 0, 0
        if at:
            inside = min(edge, ends[at - 1]) - starts[at - 1]
            spent = busy[at - 1] + inside
            waited = waiting[at - 1] + (inside if waiting[at] > waiting[at - 1] else 0)
        if column:
            owner = before - 1 if before and ends[before - 1] > left else min(before, stop - 1)
            part = max(0, min(ends[owner], edge) - max(starts[owner], left))
            cells.append(_Cell((spent - spent_before) / each, (waited - waited_before) / each, owner, part / each))
        before, left = at, edge
    return cells


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
