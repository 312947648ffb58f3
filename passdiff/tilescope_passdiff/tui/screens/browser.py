"""The browser of a recording: passes at the left, the text of one at the right, its sources and facts beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus, Resize
from textual.widgets import Static

from tilescope_passdiff.tui import state
from tilescope_passdiff.tui.arrangement import arrange
from tilescope_passdiff.tui.document import Document
from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.loading import title_of, told
from tilescope_passdiff.tui.messages import (
    Activated,
    CountsReady,
    CursorMoved,
    DocumentReady,
    PassChosen,
    SourcesReady,
    TellingReady,
)
from tilescope_passdiff.tui.paint import clean
from tilescope_passdiff.tui.places import position_of
from tilescope_passdiff.tui.search import Query
from tilescope_passdiff.tui.state import Companion
from tilescope_passdiff.tui.widgets.bars import Footer, Header, Newer, header
from tilescope_passdiff.tui.widgets.facts_view import FactsView
from tilescope_passdiff.tui.widgets.find_bar import FindBar
from tilescope_passdiff.tui.widgets.generated_view import GeneratedView
from tilescope_passdiff.tui.widgets.life_bar import LifeBar
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.pass_list import SUMMARY_FROM, PassList
from tilescope_passdiff.tui.widgets.remarks import Remarks
from tilescope_passdiff.tui.widgets.source_view import SourceView
from tilescope_passdiff.tui.widgets.text_view import TextView
from tilescope_trace.store.notes import Note
from tilescope_trace.store.read import Recording

from .commands import Command
from .filtering import Filtering
from .leaving import Leaving
from .linked import Goal
from .measuring import Measuring
from .noting import Noting
from .reader import Reading

_ROWS_FOR_PURPOSE = 30
"""Rows of the terminal from which on it is told what a pass is for."""


@dataclass(frozen=True)
class Kept:
    """Where a reader was: the pass by its label, the place in its text, the pane, the source and its line."""

    state: state.State
    reading: Reading
    label: str | None
    place: Note | None
    focus: str | None
    query: Query
    source: tuple[str, int] | None
    opened: frozenset[str]


class Browser(Leaving, Noting, Filtering, Measuring):
    """Shows one recording. It holds the state; panes get what to show and post what the person did."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("pane", "reader", "browser")
    BINDINGS = [*bindings("reader"), *bindings("browser")]  # noqa: RUF012 - Textual declares it so

    def __init__(self, recording: Recording, kept: Kept | None = None) -> None:
        super().__init__(recording)
        self.state = state.start(recording.passes, recording.info.status)
        self.goal: Goal = None
        self._kept = kept
        self._surveyed = False
        self._newer: Newer = ""
        if kept is not None:
            position = position_of(recording.passes, kept.label, kept.state.selected)
            self.state = replace(kept.state, selected=position)
            self.reading, self.goal = kept.reading, kept.place

    def kept(self) -> Kept:
        """Where the reader is, for the browser of another recording of the kernel."""
        focused = self.focused
        source = self.source.source
        return Kept(
            state=self.state,
            reading=self.reading,
            label=self.recording.passes[self.state.selected].label if self.recording.passes else None,
            place=self.here_in_text(),
            focus=focused.id if isinstance(focused, LineView) else None,
            query=self.text.query_shown,
            source=None if source is None else (source.path, self.source.cursor),
            opened=self.facts.opened,
        )

    def compose(self) -> ComposeResult:
        yield Header(header(self.recording.info, self.recording.passes, self._newer), id="header")
        with Horizontal(id="panes"):
            yield PassList(self.recording.passes, id="passes")
            with Container(id="reading"):
                with Vertical(id="main"):
                    yield TextView(id="text")
                    yield Remarks(id="told")
                    yield Static(id="notice")
                with Container(id="companions"):
                    yield SourceView(id="source")
                    yield GeneratedView(id="generated")
                    yield FactsView(self.recording.info, id="facts")
        yield LifeBar(id="life")
        yield FindBar(id="find")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        kept = self._kept
        self.list_passes()
        self.query_one(f"#{kept.focus}" if kept is not None and kept.focus else "#passes").focus()
        if kept is not None:
            self.text.query_shown, self.facts.opened = kept.query, kept.opened
        self.request(goal=self.goal)
        self.read_sources()
        self.read_notes()
        self.read_profiles()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.app.show_waiting()  # type: ignore[attr-defined]

    def tell_newer(self, newer: Newer) -> None:
        """Says in the header what becomes of a text that was saved after the recorded one."""
        self._newer = newer
        # There is none yet where the text was saved before the first recording is shown.
        for one in self.query(Header):
            one.update(header(self.recording.info, self.recording.passes, newer), layout=False)

    # --- what is shown ---------------------------------------------------------------------------------------

    def become(self, new: state.State) -> None:
        """Goes over to another state and shows what is different."""
        old, self.state = self.state, new
        if (new.changed_only, new.filter) != (old.changed_only, old.filter):
            self.list_passes()
        elif new.selected != old.selected:
            self.passes.point_at(new.selected)
        if (new.selected, new.hide_renumbering) != (old.selected, old.hide_renumbering):
            self.request()
        if new.companions != old.companions:
            self.arrange_panes()

    def list_passes(self) -> None:
        """Lists the passes as the state says."""
        self.passes.list_passes(self.state.changed_only, self.state.filter, self.state.selected)

    def request(self, *, goal: Goal = None) -> None:
        """Shows the text of the selected pass, at once or when it was read; with the cursor at ``goal``."""
        self.goal = goal
        document = self.document_of(self.state.selected, self.state.hide_renumbering)
        if document is not None:
            self.present(document)
        elif self.recording.passes:
            self.text.caption(f"{title_of(self.recording, self.state.selected)} …")

    @on(DocumentReady)
    def _document_ready(self, message: DocumentReady) -> None:
        self.keep(message.position, self.state.hide_renumbering, message.document)
        if message.position == self.state.selected:
            self.present(message.document)
        if not self._surveyed:
            self._surveyed = True
            self.survey()

    @on(CountsReady)
    def _counts_ready(self, message: CountsReady) -> None:
        self.passes.add_counts(message.counts)

    @on(TellingReady)
    def _telling_ready(self, message: TellingReady) -> None:
        self.passes.summarise(message.position, message.telling.summary)
        if message.position == self.state.selected:
            telling = message.telling
            telling = message.telling
            if self.size.height < _ROWS_FOR_PURPOSE:
                telling = replace(telling, purpose="")
            self.query_one(Remarks).take(told(telling, short=self.has_class("-short")))

    @on(SourcesReady)
    def _sources_ready(self, message: SourcesReady) -> None:
        self.take_sources(message.sources, message.generated)
        kept, self._kept = self._kept, None
        found = self.links.source(kept.source[0]) if kept is not None and kept.source is not None else None
        if kept is not None and kept.source is not None and found is not None:
            self.source.show(found)
            self.source.move_to(kept.source[1], tell=False, center=True)
            self.trace()

    def present(self, document: Document) -> None:
        """Shows a text in place of the one before."""
        goal, self.goal = self.goal, None
        self.text.show(document, full=self.reading.full, split=self.reading.split)
        self.reach(goal)
        self.query_one("#main").set_class(not document.rows, "-bare")
        self._notify_of(document)
        # Emptied and not hidden: what is told of this pass will take the same room in a moment.
        self.query_one(Remarks).clear()
        self.tell(self.state.selected)
        self.show_noted()
        self.trace()

    def _notify_of(self, document: Document) -> None:
        notice, widget = document.notice, self.query_one("#notice", Static)
        widget.set_class(notice is not None and notice.error, "-error")
        if notice is not None or widget.has_class("-shown"):
            widget.set_class(notice is not None, "-shown")
            widget.update(Content(notice.text if notice else ""))

    # --- what panes tell -------------------------------------------------------------------------------------

    @on(PassChosen)
    def _pass_chosen(self, message: PassChosen) -> None:
        self.become(state.select(self.state, message.position))

    @on(CursorMoved)
    def _cursor_moved(self) -> None:
        self.trace()

    @on(Activated)
    def _activated(self, message: Activated) -> None:
        if message.pane == "passes":
            if self.reading.zoom is not None:
                self.action_toggle_zoom()
            self.text.focus()
        elif message.pane == "text" and self.text.row is not None:
            self.text.unfold(self.text.row)
            self.trace()
        elif message.pane != "facts" or not self.query_one(FactsView).toggle_picture():
            self.go_to_linked()

    @on(DescendantFocus)
    @on(DescendantBlur)
    def _focus_moved(self) -> None:
        self.trace()

    def on_resize(self, _event: Resize) -> None:
        self.arrange_panes()

    def arrange_panes(self) -> None:
        placed = arrange(self.size.width, self.size.height, self.state.companions)
        zoom = self.reading.zoom
        self.passes.styles.width = "1fr" if zoom == "passes" else placed.list_width
        self.query_one("#reading").set_class(placed.right, "-right")
        shown: tuple[str, ...] = ("passes", "text", *placed.companions) if zoom is None else (zoom,)
        for pane in self.query(LineView):
            pane.display = pane.id in shown
        companions = self.query_one("#companions")
        companions.display = any(one in shown for one in ("source", "generated", "facts"))
        companions.styles.height = placed.rows if placed.rows is not None and zoom is None else None
        self.query_one("#main").display = "text" in shown
        self.query_one("#reading").display = shown != ("passes",)
        if isinstance(self.focused, LineView) and not self.focused.display:
            (self.text if zoom is None else self.query_one(f"#{zoom}")).focus()
        if (self.size.width if zoom == "passes" else placed.list_width) > SUMMARY_FROM:
            self.summarise(frozenset(self.passes.summaries))

    # --- keys ------------------------------------------------------------------------------------------------

    def action_changed_pass(self, step: int) -> None:
        self.become(state.step_changed(self.state, self.recording.passes, step))

    def action_toggle_changed_only(self) -> None:
        self.become(state.toggle_changed_only(self.state, self.recording.passes))

    def action_toggle_renumbering(self) -> None:
        self.become(replace(self.state, hide_renumbering=not self.state.hide_renumbering))

    def action_companion(self, name: Companion) -> None:
        shown = arrange(self.size.width, self.size.height, self.state.companions).companions
        self.become(state.toggle_companion(self.state, name, shown))
        self.trace()

    def commands(self) -> Iterator[Command]:
        yield from super().commands()
        for position, record in enumerate(self.recording.passes):
            title = f"pass {record.index} {clean(record.label)}"
            yield Command(title, "", partial(self.go_to_pass, position))

    def action_back(self) -> None:
        if not self.step_back():
            if self.state.filter:
                self.become(state.narrow(self.state, self.recording.passes, ""))
            self.passes.focus()

    def go_to_pass(self, position: int, *, goal: Goal = None) -> None:
        if position not in self.passes.rows:
            self.become(replace(self.state, changed_only=False, filter=""))
        if position == self.state.selected and self.text.document.rows:
            self.reach(goal)
            return
        self.state = state.select(self.state, position)
        self.passes.point_at(position)
        self.request(goal=goal)
