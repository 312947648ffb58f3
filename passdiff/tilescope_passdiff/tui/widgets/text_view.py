"""The text pane: the diff of a pass, in one column or two, or its whole text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.segment import Segment
from rich.style import Style
from textual.events import Resize

from tilescope_passdiff.tui.document import Document, next_change
from tilescope_passdiff.tui.items import Fold, Item, beside, first_row, fold, positions, rows_of
from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.messages import Scrolled
from tilescope_passdiff.tui.selection import Selection

from .row_painting import RowPainter
from .search_view import SearchView

BOTH_NUMBERS_FROM = 76
"""Width in cells from which both line numbers are shown."""


class TextView(SearchView):
    """Rows of a document with line numbers, signs, word changes, search matches and folds."""

    links = Links(())

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.document = Document("")
        self.items: tuple[Item, ...] = ()
        self.full = self.split = False
        self.linked: frozenset[int] = frozenset()
        self.noted: frozenset[int] = frozenset()
        self._opened: frozenset[int] = frozenset()
        self._places: list[int] = []

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def row(self) -> int | None:
        return first_row(self.items[self.cursor]) if self.items else None

    def texts(self) -> Iterable[str]:
        return (row.text for row in self.document.rows)

    def show(self, document: Document, *, full: bool, split: bool, row: int | None = None) -> None:
        """Takes another document and goes to ``row``, else to its first change, or to its top; a search goes on."""
        self.document, self.full, self.split = document, full, split
        self._opened = self.linked = self.noted = frozenset()
        self.cursor = 0
        self.scroll_to(x=0, y=0, animate=False, force=True)
        first = document.changes[0][0] if document.changes else 0
        self._lay(first if row is None else row)
        self.search(self.query_shown)
        self.caption(document.title)

    def lay_out(self, *, full: bool, split: bool) -> None:
        """Shows all rows, or changes with context; in one column or in two. The cursor stays on its row."""
        row = self.row
        self.full, self.split, self._opened = full, split, frozenset()
        self._lay(row)

    def unfold(self, row: int) -> None:
        """Opens the fold that hides ``row``, if one does."""
        if self.items and isinstance(item := self.items[self._places[row]], Fold):
            self._opened |= {item.start}
            self._lay(row)

    def go_to(self, row: int) -> None:
        """Puts the cursor on ``row``, or the last there is, unfolding what hides it."""
        if self.items:
            row = min(row, len(self._places) - 1)
            self.unfold(row)
            self.move_to(self._places[row], center=True)

    def step_change(self, step: int) -> None:
        """Goes to the next (1) or previous (-1) change, and sideways to what changed in its line."""
        here = rows_of(self.items[self.cursor]) if self.items else (0,)
        row = next_change(self.document, here[-1] if step > 0 else here[0], step)
        if row is not None:
            self.go_to(row)
            self._show_change(row)

    def _show_change(self, row: int) -> None:
        """Scrolls sideways to the first words of ``row`` that changed."""
        changed = self.document.rows[row]
        for start, end in changed.words[:1]:
            self.show_columns(changed.text, start, end)

    # --- what is selected -------------------------------------------------------------------------------------

    def pointed(self) -> Selection:
        """What the row at the cursor comes from."""
        return Selection() if self.row is None else Selection(self.document.origins(self.row))

    def point_at(self, selection: Selection) -> None:
        """Marks the rows that belong to what is selected."""
        self.link(self.links.rows_of(self.document, selection))

    def link(self, rows: frozenset[int]) -> None:
        """Marks these rows."""
        if rows != self.linked:
            self.linked = rows
            self.refresh()

    def note(self, rows: frozenset[int]) -> None:
        """Marks rows that have a bookmark or a note."""
        if rows != self.noted:
            self.noted = rows
            self.redraw()

    def variant(self, index: int) -> object:
        return not self.linked.isdisjoint(rows_of(self.items[index]))

    # --- how it is drawn --------------------------------------------------------------------------------------

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(Scrolled())

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self.relaid(self._width())
        self.post_message(Scrolled())

    def visible_rows(self) -> Iterator[int]:
        """Rows in view."""
        for index in self.in_view():
            item = self.items[index]
            if not isinstance(item, Fold):
                yield from rows_of(item)

    def _lay(self, row: int | None) -> None:
        self.items = fold(self.document, self.full, self._opened)
        if self._in_two():
            self.items = beside(self.document, self.items)
        self._places = positions(self.items, len(self.document.rows))
        self.relaid(self._width())
        if row is not None and self.items:
            self.move_to(self._places[min(row, len(self._places) - 1)], tell=False, center=True)
            if self._in_two():
                self._show_change(row)

    def _in_two(self) -> bool:
        return self.split and not self.document.whole

    def _width(self) -> int:
        """Cells that the widest line takes: in two columns each scrolls by the same amount."""
        if self._in_two():
            return self.document.width + self.gutter_width() + self.room // 2 + 1
        return self.document.width + self.gutter_width()

    def gutter_width(self) -> int:
        return self._painter().gutter_width

    def _painter(self) -> RowPainter:
        both = self.room >= BOTH_NUMBERS_FROM and not self.document.whole and not self._in_two()
        return RowPainter(
            self.styled,
            self.document,
            both,
            self.linked,
            self.noted,
            self.found_in,
            focused=self.has_focus,
        )

    def _show_cells(self, start: int, end: int, room: int) -> None:
        super()._show_cells(start, end, self.room // 2 - self.gutter_width() if self._in_two() else room)

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        return self._painter().whole(self.items[index], selected)

    def drawn_line(self, index: int, selected: bool, left: int) -> tuple[list[Segment], Style]:
        folded = index < self.count and isinstance(self.items[index], Fold)
        if index >= self.count or not self._in_two() or folded:
            return super().drawn_line(index, selected, 0 if folded else left)
        painter, half = self._painter(), (self.room - 1) // 2
        segments: list[Segment] = []
        for side, width in (("old", half), ("new", self.room - half - 1)):
            gutter, text, filler = painter.side(self.items[index], side == "old", selected)
            room = max(0, width - painter.gutter_width)
            segments += [*gutter, *self.cropped(text, left, room, filler)]
            if side == "old":
                segments.append(Segment("│", self.styled.heading))
        return segments, self.styled.text
