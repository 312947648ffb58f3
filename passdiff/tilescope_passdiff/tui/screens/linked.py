"""One selection through all panes: whatever is pointed at in one is marked in all others."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on

from tilescope_passdiff.tui.life import Life
from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.messages import Scrolled, Touched
from tilescope_passdiff.tui.places import row_of
from tilescope_passdiff.tui.search import Query
from tilescope_passdiff.tui.selection import Selection
from tilescope_passdiff.tui.sources import Generated, Source
from tilescope_passdiff.tui.state import State
from tilescope_passdiff.tui.widgets.facts_view import FactsView
from tilescope_passdiff.tui.widgets.generated_view import GeneratedView
from tilescope_passdiff.tui.widgets.life_bar import LifeBar
from tilescope_passdiff.tui.widgets.pass_list import PassList
from tilescope_passdiff.tui.widgets.source_view import SourceView
from tilescope_trace.store.notes import Note
from tilescope_trace.store.read import Recording

from .background import Background
from .history import HistoryScreen
from .stack import ask

Goal = Note | Selection | Query | int | None
"""Where to go in a text that is yet to be read: a noted place, what is selected, the first match, a row, or its first
change."""


class Linked(Background):
    """Holds the selection. The pane with the focus says what it is; the text does where none of the linked has it."""

    state: State

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self.links = Links(())
        self.sources: tuple[Source, ...] = ()
        self.life = Life()
        self.selection = Selection()
        self._life_done = False

    @property
    def passes(self) -> PassList:
        return self.query_one(PassList)

    @property
    def source(self) -> SourceView:
        return self.query_one(SourceView)

    @property
    def generated(self) -> GeneratedView:
        return self.query_one(GeneratedView)

    @property
    def facts(self) -> FactsView:
        return self.query_one(FactsView)

    def take_sources(self, sources: Sequence[Source], generated: Generated) -> None:
        """Links the panes by the sources that were read."""
        self.sources = tuple(sources)
        self.links = Links(self.sources)
        for pane in (self.text, self.source, self.generated, self.facts):
            pane.links = self.links
        if self.sources:
            self.facts.file = self.sources[0].path
            self.source.show(self.sources[0])
            if not self.sources[0].findings:
                # Imports and helpers above the kernel are not what anybody looks for.
                self.source.move_to((self.recording.info.kernel.line or 1) - 1, tell=False, center=True)
        self.generated.take(generated)
        self.trace()

    def trace(self) -> None:
        """Takes the selection from the pane that the reader is in, and marks it in all others."""
        focused = self.focused
        leading = focused if focused in (self.source, self.generated, self.facts) else self.text
        assert isinstance(leading, (type(self.text), SourceView, GeneratedView, FactsView))
        self.select(leading.pointed(), leading)

    def select(self, selection: Selection, by: object = None) -> None:
        """Marks ``selection`` in all panes but the one it comes ``by``."""
        self.selection = selection
        text, source = self.text, self.source
        if by is not source:
            weak = frozenset(
                link.line
                for row in (text.visible_rows() if by is text else ())
                for link in self.links.lines(text.document.origins(row))
                if link.source is source.source
            )
            source.point_at(selection, weak, follow=True)
        else:
            source.highlight(frozenset(), frozenset(), follow=False)
        if by is not text:
            text.point_at(selection)
        else:
            text.link(frozenset())
        source.count_links(len(text.linked) if by is source else None)
        if by is not self.generated:
            self.generated.point_at(selection, follow=True)
        self.facts.point_at(selection if by is not self.facts else Selection())
        self.show_life()

    def go_to_linked(self) -> None:
        """The next row of the text that belongs to the selection, going round."""
        rows, at = sorted(self.text.linked), self.text.row
        if rows:
            self.text.go_to(next((row for row in rows if at is None or row > at), rows[0]))

    @on(Scrolled)
    def _scrolled(self) -> None:
        self.trace()

    # --- history ---------------------------------------------------------------------------------------------

    @on(Touched)
    def _touched(self, message: Touched) -> None:
        for position, found in message.touches.items():
            self.life.add(position, found)
        self._life_done = message.done
        self.show_life()

    def show_life(self) -> None:
        """Shows which passes changed what is selected."""
        found = self.life.of(self.selection)
        labels = [record.label for record in self.recording.passes]
        bar = self.query_one(LifeBar)
        bar.show(self.selection, found, labels, self.state.selected, done=self._life_done)
        self.passes.touch(frozenset(found))

    def go_to_pass(self, position: int, *, goal: Goal = None) -> None:
        """Shows the pass at ``position``, with the cursor at ``goal``."""
        raise NotImplementedError

    def reach(self, goal: Goal) -> None:
        """Goes to what ``goal`` means in the text that is shown."""
        document, row = self.text.document, goal
        if isinstance(goal, Query):
            self.text.search(goal, 0)
            return
        if isinstance(goal, Selection):
            rows = sorted(self.links.rows_of(document, goal))
            row = next((row for row in rows if document.rows[row].sign != " "), next(iter(rows), None))
        elif isinstance(goal, Note):
            row = row_of(document, goal)
        if isinstance(row, int) and document.rows:
            self.text.go_to(row)

    def action_touch(self, step: int) -> None:
        found = self.life.of(self.selection)
        here = self.state.selected
        ahead = [position for position in found if (position - here) * step > 0]
        if not ahead:
            self.notify("no further pass changed what is selected", severity="warning")
            return
        self._follow(min(ahead, key=lambda position: abs(position - here)))

    def action_first_touch(self) -> None:
        found = self.life.of(self.selection)
        if not found:
            self.notify("no pass changed what is selected, as far as is known", severity="warning")
            return
        self._follow(min(found))

    def _follow(self, position: int) -> None:
        """Goes to a pass and to what it made of the selection."""
        self.go_to_pass(position, goal=self.selection)

    def action_history(self) -> None:
        if not self.selection:
            self.notify("nothing whose origin is known is selected", severity="warning")
            return
        ask(self, HistoryScreen(self.recording, self.selection), self._history_left)

    def _history_left(self, position: int | None) -> None:
        if position is not None:
            self.go_to_pass(position)
