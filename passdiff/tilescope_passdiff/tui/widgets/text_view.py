"""The text pane: the diff of a pass, its whole text, or the generated source."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual.events import Resize

from tilescope_passdiff.tui import search
from tilescope_passdiff.tui.document import Document, Fold, Item, Row, first_row, fold, next_change, position
from tilescope_passdiff.tui.messages import Scrolled, Searched
from tilescope_passdiff.tui.paint import StyledSpan, paint
from tilescope_passdiff.tui.search import Match
from tilescope_passdiff.tui.syntax import spans

from .line_view import LineView

BOTH_NUMBERS_FROM = 76
"""Width in cells from which both line numbers are shown."""


class TextView(LineView):
    """Rows of a document with line numbers, signs, word changes, search matches and folds."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.document = Document("")
        self.items: tuple[Item, ...] = ()
        self.full = False
        self.query_text = ""
        self.matches: tuple[Match, ...] = ()
        self.match: int | None = None
        self.linked: frozenset[int] = frozenset()
        self._opened: frozenset[int] = frozenset()

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def row(self) -> int | None:
        """The row under the cursor (of a fold the first); None in an empty pane."""
        return first_row(self.items[self.cursor]) if self.items else None

    def show(self, document: Document, full: bool) -> None:
        """Takes another document and goes to its first change, or to its top; a search goes on in it."""
        self.document, self.full = document, full
        self._opened, self.linked = frozenset(), frozenset()
        self.cursor = 0
        self.scroll_to(x=0, y=0, animate=False, force=True)
        self._lay(document.changes[0][0] if document.changes else 0)
        self.search(self.query_text)

    def show_full(self, full: bool) -> None:
        """Shows all rows, or changes with context; the cursor stays on its row."""
        self.full, self._opened = full, frozenset()
        self._lay(self.row)

    def unfold(self, row: int) -> None:
        """Opens the fold that hides ``row``, if one does."""
        if self.items and isinstance(item := self.items[position(self.items, row)], Fold):
            self._opened |= {item.start}
            self._lay(row)

    def go_to(self, row: int) -> None:
        """Puts the cursor on ``row``, unfolding what hides it."""
        self.unfold(row)
        self.move_to(position(self.items, row), center=True)

    def search(self, query: str, start: int | None = None) -> None:
        """Marks all places of ``query``; with ``start`` goes to the first one from that row on, and
        to that row where there is none."""
        self.query_text = query
        self.matches = search.find((row.text for row in self.document.rows), query)
        if start is not None and not self.matches:
            # Back to where the search began: what was typed before may have gone far down and sideways.
            self.move_to(position(self.items, start), center=True)
            self.scroll_to(x=0, animate=False, force=True)
        self._mark(None if start is None else search.nearest(self.matches, start))

    def step_match(self, step: int) -> None:
        """Goes to the next (1) or previous (-1) match."""
        following = search.following(self.matches, self.match, self.row or 0, step)
        if following is not None:
            self._mark(following)

    def step_change(self, step: int) -> None:
        """Goes to the next (1) or previous (-1) change, and sideways to what changed in its line."""
        row = next_change(self.document, self.row or 0, step)
        if row is not None:
            self.go_to(row)
            for start, end in self.document.rows[row].words[:1]:
                self._show_columns(start, end)

    def _mark(self, match: int | None) -> None:
        self.match = match
        self.redraw()
        if match is not None:
            self.go_to(self.matches[match].row)
            self._show_columns(self.matches[match].start, self.matches[match].end)
        self.caption(self.document.title)
        self.post_message(Searched())

    def link(self, rows: frozenset[int]) -> None:
        """Marks the rows that come from the Python line pointed at."""
        if rows != self.linked:
            self.linked = rows
            self.refresh()

    def variant(self, index: int) -> object:
        return first_row(self.items[index]) in self.linked

    def _show_columns(self, start: int, end: int) -> None:
        """Scrolls sideways so that the characters ``start`` up to ``end`` of a row are in view."""
        room = self.room - self._gutter_width()
        left = self.scroll_offset.x
        if start < left or end > left + room:
            self.scroll_to(x=max(0, end + 4 - room) if end > room else 0, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(Scrolled())

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self.relaid(self._gutter_width() + self.document.width)
        self.post_message(Scrolled())

    def visible_rows(self) -> Iterator[int]:
        """Rows in view."""
        for index in self.in_view():
            item = self.items[index]
            if isinstance(item, int):
                yield item

    def _lay(self, row: int | None) -> None:
        self.items = fold(self.document, self.full, self._opened)
        self.relaid(self._gutter_width() + self.document.width)
        if row is not None and self.items:
            self.move_to(position(self.items, row), tell=False, center=True)

    def _digits(self) -> int:
        return max(2, len(str(self.document.highest)))

    def _gutter_width(self) -> int:
        return 1 + (self._digits() + 1) * (2 if self._both_numbers() else 1) + 2

    def _both_numbers(self) -> bool:
        return self.room >= BOTH_NUMBERS_FROM and not self.document.whole

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles = self.styled
        item = self.items[index]
        if isinstance(item, Fold):
            style = styles.dim + styles.cursor if selected else styles.dim
            text = f"⋯ {item.end - item.start} unchanged lines"
            gutter = [self._pointer(selected, item.start), Segment(" " * (self._gutter_width() - 1), style)]
            return gutter, [Segment(text, style)], style
        row = self.document.rows[item]
        back, words = {
            "+": (styles.insert_row, styles.insert_word),
            "-": (styles.delete_row, styles.delete_word),
            " ": (styles.cursor if selected else Style.null(), Style.null()),
        }[row.sign]
        if item in self.linked and row.sign == " ":
            back = styles.linked + back
        base = styles.text + back
        inside = self.document.inside[item] if self.document.inside else ""
        syntax = (
            (start, end, styles.syntax[kind])
            for start, end, kind in spans(row.text, self.document.language, inside)[0]
        )
        changed = ((start, end, words) for start, end in row.words)
        segments = paint(row.text, base, (syntax, changed, self._found_in(item)))
        return self._gutter(row, item, selected, back), segments, base

    def _gutter(self, row: Row, index: int, selected: bool, back: Style) -> list[Segment]:
        styles, digits = self.styled, self._digits()
        if self._both_numbers():
            numbers = f"{row.old or '':>{digits}} {row.new or '':>{digits}} "
        else:
            numbers = f"{row.new or row.old or '':>{digits}} "
        sign = {"+": styles.inserted, "-": styles.deleted, " ": styles.dim}[row.sign]
        number = (styles.bold + styles.cursor) if selected else (styles.dim + back)
        return [
            self._pointer(selected, index),
            Segment(numbers, number),
            Segment("−" if row.sign == "-" else row.sign, sign + back),
            Segment(" ", styles.text + back),
        ]

    def _pointer(self, selected: bool, row: int) -> Segment:
        if selected:
            return Segment("▶" if self.has_focus else "▷", self.styled.pointer + self.styled.cursor)
        return Segment("◆" if row in self.linked else " ", self.styled.pointer)

    def _found_in(self, row: int) -> Iterator[StyledSpan]:
        for number, match in self._matches_of(row):
            style = self.styled.current_match if number == self.match else self.styled.match
            yield match.start, match.end, style

    def _matches_of(self, row: int) -> Iterator[tuple[int, Match]]:
        at = bisect_left(self.matches, row, key=lambda match: match.row)
        while at < len(self.matches) and self.matches[at].row == row:
            yield at, self.matches[at]
            at += 1
