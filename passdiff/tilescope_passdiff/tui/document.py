"""What the text pane shows, before any widget: rows of a diff or of a whole text, and which of them are folded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from tilescope_trace.model import LineMap, Origin

from .syntax import Inside, Language

Sign = Literal[" ", "+", "-"]
CONTEXT = 3
"""Unchanged lines kept on each side of a change."""


class Row(NamedTuple):
    """A line with its 1-based numbers before and after the pass (None where it is not there); ``words`` are the
    changed spans of a line that has a counterpart, in code points."""

    sign: Sign
    old: int | None
    new: int | None
    text: str
    words: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Notice:
    """A message over the text: what is wrong with it, or why there is nothing to see."""

    text: str
    error: bool = False


@dataclass(frozen=True)
class Fold:
    """Rows ``start`` up to ``end`` (exclusive), hidden behind one line."""

    start: int
    end: int


Item = int | Fold
"""What one line of the pane shows: the row of that index, or a fold."""


@dataclass(frozen=True)
class Document:
    """One text to read. ``before`` and ``after`` tell which Python lines its lines come from; ``whole`` texts are
    never folded; ``inside`` is the lexer's state at each row, empty where no row starts inside of anything."""

    title: str
    rows: tuple[Row, ...] = ()
    language: Language = "python"
    before: LineMap = field(default_factory=LineMap)
    after: LineMap = field(default_factory=LineMap)
    notice: Notice | None = None
    whole: bool = False
    inside: tuple[Inside, ...] = ()

    @cached_property
    def width(self) -> int:
        """Characters of the longest row."""
        return max((len(row.text) for row in self.rows), default=0)

    @cached_property
    def highest(self) -> int:
        """The highest line number, for the width of the gutter."""
        return max((max(row.old or 0, row.new or 0) for row in self.rows), default=0)

    @cached_property
    def changes(self) -> tuple[tuple[int, int], ...]:
        """Row ranges (start, end) of adjacent inserted and deleted rows."""
        ranges: list[tuple[int, int]] = []
        for index, row in enumerate(self.rows):
            if row.sign == " ":
                continue
            if ranges and ranges[-1][1] == index:
                ranges[-1] = (ranges[-1][0], index + 1)
            else:
                ranges.append((index, index + 1))
        return tuple(ranges)

    def origins(self, index: int) -> tuple[Origin, ...]:
        """The Python lines that row ``index`` comes from."""
        row = self.rows[index]
        if row.new is not None:
            return self.after.origins.get(row.new, ())
        return self.before.origins.get(row.old or 0, ())

    def rows_from(self, wanted: Callable[[Origin], bool]) -> frozenset[int]:
        """The rows that come from a Python line that is ``wanted``."""
        new = {line for line, origins in self.after.origins.items() if any(map(wanted, origins))}
        old = {line for line, origins in self.before.origins.items() if any(map(wanted, origins))}
        return frozenset(
            index
            for index, row in enumerate(self.rows)
            if (row.new in new if row.new is not None else row.old in old)
        )


def fold(document: Document, full: bool, opened: frozenset[int] = frozenset()) -> tuple[Item, ...]:
    """The lines to show: everything if ``full``, else changes with context. ``opened`` holds the first rows of folds
    that were unfolded one by one."""
    count = len(document.rows)
    if full or document.whole:
        return tuple(range(count))
    items: list[Item] = []
    shown = 0
    for start, end in (*document.changes, (count + CONTEXT, count)):
        hidden_from = shown + CONTEXT if shown else 0
        hidden_to = start - CONTEXT
        if hidden_to - hidden_from > 1 and hidden_from not in opened:
            items.extend(range(shown, hidden_from))
            items.append(Fold(hidden_from, hidden_to))
            items.extend(range(hidden_to, min(end, count)))
        else:
            items.extend(range(shown, min(end, count)))
        shown = end
    return tuple(items)


def position(items: Sequence[Item], row: int) -> int:
    """Index of the item that shows or hides row ``row``; 0 for an empty pane."""
    return max(0, bisect_right(items, row, key=first_row) - 1)


def first_row(item: Item) -> int:
    """The (first) row of an item."""
    return item.start if isinstance(item, Fold) else item


def next_change(document: Document, row: int, step: int) -> int | None:
    """First row of the next (``step`` 1) or previous (-1) change seen from ``row``; None where there is none."""
    starts = [start for start, _ in document.changes]
    if step > 0:
        return next((start for start in starts if start > row), None)
    return next((start for start in reversed(starts) if start < row), None)
