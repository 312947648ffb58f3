"""What the text pane shows, before any widget: rows of a diff or of a whole text, and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from tilescope_trace.model import LineMap, Origin

from .paint import cells
from .syntax import Inside, Language

Sign = Literal[" ", "+", "-"]


class Row(NamedTuple):
    """A line with its 1-based numbers before and after the pass (None where it is not there); ``words`` are the
    changed spans of a line that has a counterpart, in code points. ``mate`` is the number of that counterpart, or, of
    a line that ``moved`` or was indented as it is, where it stands on the other side. ``was`` is the text before of
    an equal line where only what does not count differs."""

    sign: Sign
    old: int | None
    new: int | None
    text: str
    words: tuple[tuple[int, int], ...] = ()
    mate: int | None = None
    moved: bool = False
    was: str | None = None


@dataclass(frozen=True)
class Notice:
    """A message over the text: what is wrong with it, or why there is nothing to see."""

    text: str
    error: bool = False


@dataclass(frozen=True)
class Document:
    """One text to read. ``before`` and ``after`` tell which Python lines its lines come from, ``uses_before`` and
    ``uses_after`` the lines that are about a buffer, by its name in Python; ``whole`` texts are never folded;
    ``inside`` is the lexer's state at each row, empty where no row starts inside of anything; ``start`` is the row to
    begin at, by itself the first change."""

    title: str
    rows: tuple[Row, ...] = ()
    language: Language = "python"
    before: LineMap = field(default_factory=LineMap)
    after: LineMap = field(default_factory=LineMap)
    notice: Notice | None = None
    whole: bool = False
    inside: tuple[Inside, ...] = ()
    uses_before: Mapping[str, frozenset[int]] = field(default_factory=dict)
    uses_after: Mapping[str, frozenset[int]] = field(default_factory=dict)
    start: int | None = None

    @cached_property
    def width(self) -> int:
        """Cells of the widest row."""
        return max((cells(row.text) for row in self.rows), default=0)

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

    @cached_property
    def rows_by_origin(self) -> Mapping[Origin, tuple[int, ...]]:
        """The rows that come from each Python line."""
        found: dict[Origin, list[int]] = {}
        for index in range(len(self.rows)):
            for origin in self.origins(index):
                found.setdefault(origin, []).append(index)
        return {origin: tuple(rows) for origin, rows in found.items()}

    def rows_from(self, wanted: Callable[[Origin], bool], buffer: str | None = None) -> frozenset[int]:
        """The rows that come from a Python line that is ``wanted``, or are about ``buffer``."""
        found = {row for origin, rows in self.rows_by_origin.items() if wanted(origin) for row in rows}
        if buffer is not None:
            new, old = (uses.get(buffer, frozenset()) for uses in (self.uses_after, self.uses_before))
            found |= {
                index
                for index, row in enumerate(self.rows)
                if (row.new in new if row.new is not None else row.old in old)
            }
        return frozenset(found)


def next_change(document: Document, row: int, step: int) -> int | None:
    """First row of the next (``step`` 1) or previous (-1) change seen from ``row``; None where there is none."""
    starts = [start for start, _ in document.changes]
    if step > 0:
        return next((start for start in starts if start > row), None)
    return next((start for start in reversed(starts) if start < row), None)
