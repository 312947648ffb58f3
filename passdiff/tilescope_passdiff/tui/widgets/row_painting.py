"""From a row of a diff to styled segments: gutter, signs, changed words, syntax, matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.document import Document, Row
from tilescope_passdiff.tui.items import Fold, Item, Pair, first_row, rows_of
from tilescope_passdiff.tui.paint import StyledSpan, paint
from tilescope_passdiff.tui.syntax import spans

from .styles import Styles

Drawn = tuple[list[Segment], list[Segment], Style]
"""Gutter, text, and the style to the right of it."""


@dataclass(frozen=True)
class RowPainter:
    """Paints the rows of ``document``: with ``both`` line numbers or one; ``linked`` and ``noted`` rows are marked,
    ``found`` gives the matches of a row."""

    styles: Styles
    document: Document
    both: bool
    linked: frozenset[int]
    noted: frozenset[int]
    found: Callable[[int], Iterable[StyledSpan]]
    focused: bool

    @property
    def digits(self) -> int:
        """Cells of a line number."""
        return max(2, len(str(self.document.highest)))

    @property
    def gutter_width(self) -> int:
        """Cells before the text."""
        return 1 + (self.digits + 1) * (2 if self.both else 1) + 2

    def whole(self, item: Item, selected: bool) -> Drawn:
        """An item in one column."""
        styles = self.styles
        if isinstance(item, Fold):
            style = styles.dim + styles.cursor if selected else styles.dim
            gutter = [self._pointer(item, selected), Segment(" " * (self.gutter_width - 1), style)]
            return gutter, [Segment(f"⋯ {item.end - item.start} unchanged lines", style)], style
        index = first_row(item)
        row = self.document.rows[index]
        if self.both:
            numbers = f"{row.old or '':>{self.digits}} {row.new or '':>{self.digits}} "
        else:
            numbers = f"{row.new or row.old or '':>{self.digits}} "
        return self._row(item, index, row, row.text, numbers, selected)

    def side(self, item: Item, old: bool, selected: bool) -> Drawn:
        """One side of an item that is no fold, in the left (``old``) or the right of two columns."""
        index = (item.old if old else item.new) if isinstance(item, Pair) else first_row(item)
        if index is None:
            style = self.styles.bar
            blank = Segment(" " * (self.gutter_width - 1), style)
            return [self._pointer(item, selected and old), blank], [], style
        row = self.document.rows[index]
        text = row.was if old and row.was is not None else row.text
        number = row.old if old else row.new
        return self._row(item, index, row, text, f"{number or '':>{self.digits}} ", selected, point=old)

    def _row(
        self, item: Item, index: int, row: Row, text: str, numbers: str, selected: bool, *, point: bool = True
    ) -> Drawn:
        styles = self.styles
        back, words = self._backs(row, selected)
        if index in self.linked and row.sign == " ":
            back = styles.linked + back
        base = styles.text + back
        inside = self.document.inside[index] if self.document.inside else ""
        syntax = (
            (start, end, styles.syntax[kind]) for start, end, kind in spans(text, self.document.language, inside)[0]
        )
        changed = ((start, end, words) for start, end in row.words)
        matches = self.found(index) if text is row.text else ()
        segments = paint(text, base, (syntax, changed, matches))
        sign = {"+": styles.inserted, "-": styles.deleted, " ": styles.dim}[row.sign]
        mark: str = "−" if row.sign == "-" else row.sign
        if row.moved:
            sign, mark = styles.moved, "‹" if row.sign == "-" else "›"
        number = (styles.bold + styles.cursor) if selected else (styles.dim + back)
        gutter = [
            self._pointer(item, selected, index) if point else Segment(" ", styles.text),
            Segment(numbers, number),
            Segment(mark, sign + back),
            Segment("★", styles.changed + back) if index in self.noted else Segment(" ", styles.text + back),
        ]
        return gutter, segments, base

    def _backs(self, row: Row, selected: bool) -> tuple[Style, Style]:
        """What lies behind a row and behind its changed words."""
        styles = self.styles
        if row.sign == " ":
            return (styles.cursor if selected else Style.null()), Style.null()
        if row.moved:
            return styles.moved_row, styles.moved_row
        if row.sign == "+":
            return styles.insert_row, styles.insert_word
        return styles.delete_row, styles.delete_word

    def _pointer(self, item: Item, selected: bool, index: int | None = None) -> Segment:
        if selected:
            return Segment("▶" if self.focused else "▷", self.styles.pointer + self.styles.cursor)
        rows = rows_of(item) if index is None else (index,)
        return Segment("◆" if not self.linked.isdisjoint(rows) else " ", self.styles.pointer)
