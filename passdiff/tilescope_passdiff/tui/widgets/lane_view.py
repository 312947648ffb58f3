"""The lanes of a timeline over time: each row is a line of the pane, and only what is in view is ever worked out."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.lanes import Known, Scale, View, around, runs, time_at
from tilescope_passdiff.tui.messages import Activated
from tilescope_passdiff.tui.paint import clean, filled
from tilescope_passdiff.tui.palette import Palette
from tilescope_passdiff.tui.profiles import Attached
from tilescope_trace.profile.model import NONE
from tilescope_trace.profile.rows import Row

from .lane_painting import Inks, LanePainter, ruler_segments
from .line_view import LineView

_TITLE_CELLS = (18, 30)
"""Cells of the titles of lanes: at least, at most."""
_KEPT_ROWS = 200
"""Rows whose columns are kept for panning."""


@dataclass(frozen=True)
class Line:
    """One line of the pane: row ``level`` of a lane, below ``depth`` others."""

    lane: int
    level: int
    depth: int


class LaneView(LineView):
    """``view`` is the stretch of time shown, ``chosen`` the index of the slice that is selected (None for none),
    ``marked`` a stretch that is measured, ``found`` the slices that a search found."""

    BINDINGS = bindings("lanes")

    @dataclass
    class Chosen(Message):
        """Another slice was selected, or the view is another."""

        slice: int | None

        def can_replace(self, message: Message) -> bool:
            """Only the last one matters."""
            return isinstance(message, LaneView.Chosen)

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.attached: Attached | None = None
        self.lines: tuple[Line, ...] = ()
        self.view = self.whole = View(0, 1)
        self.chosen: int | None = None
        self.marked: View | None = None
        self.found: frozenset[int] = frozenset()
        self._sequence: list[int] = []
        self._monochrome = False
        self._inks = Inks()
        self._known: dict[int, Known] = {}
        self._positions: dict[int, array[int]] = {}
        self._width = 0, 0

    @property
    def count(self) -> int:
        return len(self.lines)

    @property
    def title_width(self) -> int:
        """Cells before the time."""
        least, most = _TITLE_CELLS
        return max(least, min(most, self.room // 4))

    @property
    def columns(self) -> int:
        """Cells that time is spread over."""
        return max(1, self.room - self.title_width)

    def look(self, palette: Palette, monochrome: bool) -> None:
        self._monochrome, self._inks = monochrome, Inks()
        super().look(palette, monochrome)

    def show(self, attached: Attached, view: View | None = None) -> None:
        """Takes a profile: all of it, or what is in ``view``. Selected is the first slice in view of the first lane
        that has slices."""
        self.attached, self.chosen, self.marked = attached, None, None
        self.lines = tuple(_lines(attached))
        self.whole = View(0, max(1, attached.rows.span[1]))
        self.view = view or self.whole
        self.found, self._sequence, self._known, self._positions = frozenset(), [], {}, {}
        self.cursor = 0
        self.relaid(0)
        for line in range(self.count):
            row = self._row(line)
            if row is not None and row.slices:
                self.chosen = row.slices[row.at(self.view.start) or 0]
                self.move_to(line, tell=False)
                break

    def look_at(self, view: View) -> None:
        """Shows another stretch of time."""
        if view != self.view:
            self.view = view
            self.refresh()
            self.post_message(self.Chosen(self.chosen))

    def choose(self, index: int | None, *, reveal: bool = True) -> None:
        """Selects a slice and brings it into view."""
        attached = self.attached
        self.chosen = index
        if attached is not None and index is not None:
            lane = attached.profile.slices.lane[index]
            level, _ = attached.rows.place_of(index)
            line = next((at for at, one in enumerate(self.lines) if (one.lane, one.level) == (lane, level)), None)
            if line is not None:
                self.move_to(line, tell=False)
            start = attached.rows.start_of(index)
            end = start + attached.profile.slices.duration_ns[index]
            if reveal and not (self.view.start <= start < self.view.end or start < self.view.start < end):
                self.view = self.view.moved(start - self.view.length // 3, self.whole)
        self.refresh()
        self.post_message(self.Chosen(index))

    def mark_found(self, found: Sequence[int]) -> None:
        """Marks what a search found."""
        self.found, self._sequence, self._positions = frozenset(found), list(found), {}
        self.redraw()

    def step_found(self, step: int) -> None:
        """Selects the next (1) or previous (-1) slice found, in the order of time, going round."""
        attached = self.attached
        if attached is None or not self._sequence:
            return
        if self.chosen is not None and self.chosen in self.found:
            at = self._sequence.index(self.chosen) + step
        else:
            starts = attached.profile.slices.start_ns
            here = starts[self.chosen] if self.chosen is not None else -1
            at = bisect_left(self._sequence, here, key=starts.__getitem__) - (step < 0)
        self.choose(self._sequence[at % len(self._sequence)])

    @property
    def row(self) -> Row | None:
        """The slices of the line at the cursor."""
        return self._row(self.cursor)

    def _row(self, index: int) -> Row | None:
        if self.attached is None or index >= len(self.lines):
            return None
        line = self.lines[index]
        rows = self.attached.rows.of(line.lane)
        return rows[line.level] if line.level < len(rows) else None

    # --- keys ------------------------------------------------------------------------------------------------

    def action_slice(self, step: int) -> None:
        row, attached = self.row, self.attached
        if row is None or attached is None or not row.slices:
            return
        here = self._position(row)
        at = (row.at(self.view.start) or 0) if here is None else here + step
        self.choose(row.slices[max(0, min(at, len(row.slices) - 1))])

    def _position(self, row: Row) -> int | None:
        """Where in ``row`` the chosen slice is."""
        attached = self.attached
        if attached is None or self.chosen is None:
            return None
        start = attached.rows.start_of(self.chosen)
        at = bisect_left(row.starts, start)
        return at if at < len(row.slices) and row.slices[at] == self.chosen else None

    def action_fit(self) -> None:
        if self.attached is not None and self.chosen is not None:
            start = self.attached.rows.start_of(self.chosen)
            self.look_at(around(start, start + self.attached.profile.slices.duration_ns[self.chosen], self.whole))

    def center(self) -> int:
        """What zooming keeps in place: the chosen slice if it is in view, else the middle."""
        if self.attached is not None and self.chosen is not None:
            start = self.attached.rows.start_of(self.chosen)
            end = start + self.attached.profile.slices.duration_ns[self.chosen]
            middle = (max(start, self.view.start) + min(end, self.view.end)) // 2
            if self.view.start <= middle <= self.view.end:
                return middle
        return self.view.start + self.view.length // 2

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.x >= self.room:
            return
        index = offset.y + round(self.scroll_y)
        row = self._row(index)
        if row is None:
            self.move_to(min(index, self.count - 1))
            return
        columns = self.columns
        at = row.at(time_at(offset.x - self.title_width, self.view, columns))
        if at is not None and offset.x >= self.title_width:
            self.choose(row.slices[at], reveal=False)
            if event.chain == 2:
                self.post_message(Activated(self.id or "", index))

    # --- how it is drawn -------------------------------------------------------------------------------------

    def variant(self, index: int) -> object:
        line, chosen = self.lines[index], self.chosen
        own = (
            self.attached is not None
            and chosen is not None
            and self.attached.profile.slices.lane[chosen] == line.lane
        )
        return self.view, chosen if own else None

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, line, attached = self.styled, self.lines[index], self.attached
        assert attached is not None
        back = styles.cursor if selected else Style.null()
        width = self.title_width - 2
        title = "  " * line.depth + (clean(attached.profile.lanes[line.lane].title) if not line.level else "")
        kind = styles.bold if attached.rows.count(line.lane) == 0 else styles.text
        gutter = [
            Segment("▶" if selected and self.has_focus else " ", styles.pointer + back),
            Segment(filled(title, width), kind + back),
            Segment("│", styles.dim + back),
        ]
        row = self._row(index)
        return gutter, self._bars(index, row, attached) if row is not None else [], styles.text + back

    def _bars(self, index: int, row: Row, attached: Attached) -> list[Segment]:
        width = self.view.length, self.columns
        if width != self._width or len(self._known) > _KEPT_ROWS:
            self._known, self._width = {}, width
        painter = LanePainter(self.styled, attached, self.chosen, self.found, self._inks, monochrome=self._monochrome)
        drawn = runs(row, self.view, self.columns, self._known.setdefault(index, {}))
        return painter.row(
            row, self._position(row), self._found_in(index, row), drawn, Scale(self.view, self.columns)
        )

    def _found_in(self, index: int, row: Row) -> Sequence[int]:
        """Positions in ``row``, which is line ``index``, of what a search found."""
        if not self.found:
            return ()
        if index not in self._positions:
            inside = map(self.found.__contains__, row.slices)
            self._positions[index] = array("i", compress(range(len(row.slices)), inside))
        return self._positions[index]

    def _drawn_title(self, width: int) -> Strip:
        """The ruler, with what is marked."""
        key = ("ruler", self._caption, width, self.has_focus, self.view, self.marked)
        strip = self._drawn.get(key)
        if strip is None:
            segments, style = ruler_segments(
                self.styled, self.view, self.marked, self.title_width, self.columns, self.has_focus
            )
            strip = self._drawn[key] = Strip(segments).adjust_cell_length(width, style)
        return strip


def _lines(attached: Attached) -> list[Line]:
    """The rows of all lanes, each lane below what it lies under."""
    lanes, rows = attached.profile.lanes, attached.rows
    below: dict[int, list[int]] = {}
    for index, lane in enumerate(lanes):
        below.setdefault(lane.parent, []).append(index)
    found: list[Line] = []
    todo = [(outer, 0) for outer in reversed(below.get(NONE, ()))]
    while todo:
        at, depth = todo.pop()
        found += [Line(at, level, depth) for level in range(max(1, len(rows.of(at))))]
        todo += [(one, depth + 1) for one in reversed(below.get(at, ()))]
    return found
