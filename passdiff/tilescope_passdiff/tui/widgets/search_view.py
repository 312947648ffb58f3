"""A pane whose lines can be searched."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice

from tilescope_passdiff.tui import search
from tilescope_passdiff.tui.messages import Searched
from tilescope_passdiff.tui.paint import StyledSpan, cells
from tilescope_passdiff.tui.search import Match, Query

from .line_view import LineView


class SearchView(LineView):
    """Base of panes with text in rows. A subclass says what the rows are (``texts``), where the cursor is (``row``)
    and how to get to one (``go_to``)."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.query_shown = Query()
        self.problem = ""
        """Why nothing can be found."""
        self.matches: tuple[Match, ...] = ()
        self.match: int | None = None

    @property
    def row(self) -> int | None:
        """The row under the cursor; None in an empty pane."""
        raise NotImplementedError

    def texts(self) -> Iterable[str]:
        """The text of each row."""
        raise NotImplementedError

    def go_to(self, row: int) -> None:
        """Puts the cursor on ``row``, in view."""
        raise NotImplementedError

    def gutter_width(self) -> int:
        """Cells before the text that stay when it is scrolled sideways."""
        return 0

    def search(self, query: Query, start: int | None = None) -> None:
        """Marks all places of ``query``; with ``start`` goes to the first one from that row on, and
        to that row where there is none."""
        self.query_shown, self.problem = query, query.problem
        try:
            self.matches = search.find(self.texts(), query) if query.text else ()
        except search.SlowPatternError as error:
            self.matches, self.problem = (), str(error)
        if start is not None and not self.matches:
            # Back to where the search began: what was typed before may have gone far down and sideways.
            self.go_to(start)
            self.scroll_to(x=0, animate=False, force=True)
        self._mark(None if start is None else search.nearest(self.matches, start))

    def step_match(self, step: int) -> None:
        """Goes to the next (1) or previous (-1) match."""
        following = search.following(self.matches, self.match, self.row or 0, step)
        if following is not None:
            self._mark(following)

    def tally(self) -> str:
        """How much was found."""
        return self.problem or search.tally(self.matches, self.match)

    def _mark(self, match: int | None) -> None:
        self.match = match
        self.redraw()
        if match is not None:
            found = self.matches[match]
            self.go_to(found.row)
            self.show_columns(next(islice(self.texts(), found.row, None)), found.start, found.end)
        self.post_message(Searched())

    def show_columns(self, text: str, start: int, end: int) -> None:
        """Scrolls sideways so that the characters ``start`` up to ``end`` of the row ``text`` are in view."""
        self._show_cells(cells(text[:start]), cells(text[:end]), self.room - self.gutter_width())

    def _show_cells(self, start: int, end: int, room: int) -> None:
        left = self.scroll_offset.x
        if start < left or end > left + room:
            self.scroll_to(x=max(0, end + 4 - room) if end > room else 0, animate=False, force=True)

    def found_in(self, row: int) -> Iterator[StyledSpan]:
        """The styled matches of a row."""
        at = bisect_left(self.matches, row, key=lambda match: match.row)
        while at < len(self.matches) and self.matches[at].row == row:
            match = self.matches[at]
            yield match.start, match.end, self.styled.current_match if at == self.match else self.styled.match
            at += 1
