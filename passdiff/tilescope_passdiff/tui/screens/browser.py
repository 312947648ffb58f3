"""The browser: passes at the left, the text of one at the right, its Python source below or beside."""

from __future__ import annotations

from dataclasses import replace

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus, Resize
from textual.reactive import Reactive
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from tilescope_passdiff.tui import state
from tilescope_passdiff.tui.document import Document
from tilescope_passdiff.tui.keys import Scope, bindings
from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.loading import counts_of, generated_document, pass_document, title_of
from tilescope_passdiff.tui.messages import (
    Activated,
    CountsReady,
    CursorMoved,
    DocumentReady,
    PassChosen,
    Scrolled,
    Searched,
    SourcesReady,
)
from tilescope_passdiff.tui.palette import DARK, LIGHT
from tilescope_passdiff.tui.search import summary, tally
from tilescope_passdiff.tui.sources import prepare
from tilescope_passdiff.tui.widgets.bars import Footer, Header, SearchBar, header
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.pass_list import PassList
from tilescope_passdiff.tui.widgets.source_view import SourceView
from tilescope_passdiff.tui.widgets.text_view import TextView
from tilescope_trace.store.read import Recording

from .help import Help

KEPT_DOCUMENTS = 6
"""Documents kept for going back and forth; each may be megabytes."""
COUNT_BATCH = 8
"""Passes whose counts are shown at once: each batch redraws the list."""


class Browser(Screen[None]):
    """Shows one recording. It holds the state; panes get what to show and post what the person did."""

    BINDINGS = bindings("browser")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (170, "-wide")]  # noqa: RUF012 - Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-high")]  # noqa: RUF012 - Textual declares it so
    CSS_PATH = "browser.tcss"
    # Textual would paint the whole screen anew when the focus moves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self.state = state.start(recording.passes, recording.info.status)
        self.links = Links(())
        self._documents: dict[int | None, Document] = {}
        self._counting = False
        self._search_from = 0

    def compose(self) -> ComposeResult:
        yield Header(header(self.recording.info, self.recording.passes), id="header")
        with Horizontal(id="panes"):
            yield PassList(self.recording.passes, id="passes")
            with Container(id="reading"):
                with Vertical(id="main"):
                    yield TextView(id="text")
                    yield Static(id="notice")
                yield SourceView(id="source")
        with Horizontal(id="find"):
            yield Static("/")
            yield SearchBar(placeholder="text to find", id="search")
            yield Static(id="found")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._look)
        self._look(self.app.current_theme)
        self.passes.list_passes(self.state.changed_only, self.state.selected)
        self.passes.focus()
        self._request()
        self._read_sources()

    @property
    def passes(self) -> PassList:
        return self.query_one(PassList)

    @property
    def text(self) -> TextView:
        return self.query_one(TextView)

    @property
    def source(self) -> SourceView:
        return self.query_one(SourceView)

    def _look(self, theme: Theme) -> None:
        for pane in self.query(LineView):
            pane.look(DARK if theme.dark else LIGHT, monochrome=self.app.no_color)

    # --- what is shown ---------------------------------------------------------------------------------------

    def _become(self, new: state.State) -> None:
        old, self.state = self.state, new
        if new.changed_only != old.changed_only:
            self.passes.list_passes(new.changed_only, new.selected)
        elif new.selected != old.selected:
            self.passes.point_at(new.selected)
        if (new.selected, new.generated) != (old.selected, old.generated):
            self._request()
        elif new.hide_renumbering != old.hide_renumbering:
            self._documents.clear()
            self._request()
        elif new.full_text != old.full_text:
            self.text.show_full(new.full_text)
            self._trace()

    def _wanted(self) -> int | None:
        """The pass whose text is to be shown, None for the generated source."""
        return None if self.state.generated or not self.recording.passes else self.state.selected

    def _request(self) -> None:
        wanted = self._wanted()
        if wanted in self._documents:
            self._present(self._documents[wanted])
            return
        self.text.caption(f"{title_of(self.recording, wanted)} …")
        self._read(wanted)

    @work(thread=True, exclusive=True, group="document")
    def _read(self, wanted: int | None) -> None:
        worker = get_current_worker()
        if worker.is_cancelled:
            return
        if wanted is None:
            document = generated_document(self.recording)
        else:
            document = pass_document(self.recording, wanted, self.state.hide_renumbering)
        if not worker.is_cancelled:
            self.post_message(DocumentReady(wanted, document))

    @work(thread=True, exclusive=True, group="counts")
    def _count(self) -> None:
        worker = get_current_worker()
        batch: dict[int, state.Counts] = {}
        for position in range(len(self.recording.passes)):
            if worker.is_cancelled:
                return
            counts = counts_of(self.recording, position)
            if counts is not None:
                batch[position] = counts
            if len(batch) == COUNT_BATCH:
                self.post_message(CountsReady(batch))
                batch = {}
        self.post_message(CountsReady(batch))

    @work(thread=True, exclusive=True, group="sources")
    def _read_sources(self) -> None:
        self.post_message(SourcesReady(prepare(self.recording)))

    @on(DocumentReady)
    def _document_ready(self, message: DocumentReady) -> None:
        self._documents.pop(message.position, None)
        self._documents[message.position] = message.document
        while len(self._documents) > KEPT_DOCUMENTS:
            del self._documents[next(iter(self._documents))]
        if message.position == self._wanted():
            self._present(message.document)
        if not self._counting:
            self._counting = True
            self._count()

    @on(CountsReady)
    def _counts_ready(self, message: CountsReady) -> None:
        self.passes.add_counts(message.counts)

    @on(SourcesReady)
    def _sources_ready(self, message: SourcesReady) -> None:
        self.links = Links(message.sources)
        if message.sources:
            self.source.show(message.sources[0])
        self._trace()

    def _present(self, document: Document) -> None:
        self.text.show(document, self.state.full_text)
        notice = self.query_one("#notice", Static)
        notice.update(Content(document.notice.text if document.notice else ""), layout=document.notice is not None)
        self.query_one("#main").set_class(not document.rows, "-bare")
        notice.set_class(document.notice is not None, "-shown")
        notice.set_class(document.notice is not None and document.notice.error, "-error")
        self._trace()

    def _trace(self) -> None:
        """Marks in the source what the text in view comes from."""
        text = self.text
        at = self.links.of_row(text.document, text.row)
        place = at[0] if at else None
        if place is not None and not self.source.has_focus:
            self.source.show(place.source)
        shown = self.source.source
        strong = frozenset(found.line for found in at if found.source is shown)
        weak = frozenset(
            found.line
            for row in text.visible_rows()
            for found in self.links.of_row(text.document, row)
            if found.source is shown
        )
        self.source.highlight(strong, weak, follow=not self.source.has_focus)

    def _trace_back(self) -> None:
        """Marks in the text what the line at the source's cursor became."""
        source = self.source.source
        rows: frozenset[int] = frozenset()
        if source is not None and self.source.has_focus:
            rows = self.links.rows_of(self.text.document, source, self.source.cursor + 1)
        self.text.link(rows)
        self.source.count_links(len(rows) if self.source.has_focus else None)

    # --- what panes tell -------------------------------------------------------------------------------------

    @on(PassChosen)
    def _pass_chosen(self, message: PassChosen) -> None:
        self._become(state.select(self.state, message.position))

    @on(CursorMoved)
    def _cursor_moved(self, message: CursorMoved) -> None:
        if message.pane == "text":
            self._trace()
        else:
            self._trace_back()

    @on(Scrolled)
    def _scrolled(self) -> None:
        self._trace()

    @on(Activated)
    def _activated(self, message: Activated) -> None:
        if message.pane == "passes":
            self.text.focus()
        elif message.pane == "text":
            if self.text.row is not None:
                self.text.unfold(self.text.row)
                self._trace()
        else:
            self._trace_back()
            rows = sorted(self.text.linked)
            if rows:
                at = self.text.row
                self.text.go_to(next((row for row in rows if at is None or row > at), rows[0]))

    @on(DescendantFocus)
    @on(DescendantBlur)
    def _focus_moved(self) -> None:
        self._trace_back()
        self._trace()
        self._show_footer()

    def on_resize(self, event: Resize) -> None:
        self.passes.styles.width = max(30, min(46, event.size.width * 30 // 100))
        self._show_footer()

    def _show_footer(self) -> None:
        scopes: tuple[Scope, ...] = ("search",) if isinstance(self.focused, SearchBar) else ("pane", "browser")
        text = self.text
        found = "" if "search" in scopes else summary(text.query_text, text.matches, text.match)
        self.query_one(Footer).show(scopes, self.size.width, found)

    # --- search ----------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def _query_changed(self, message: Input.Changed) -> None:
        self.text.search(message.value, self._search_from)

    @on(Searched)
    def _searched(self) -> None:
        text = self.text
        self.query_one("#found", Static).update(Content(tally(text.matches, text.match) if text.query_text else ""))
        self._show_footer()

    @on(SearchBar.Stepped)
    def _stepped(self, message: SearchBar.Stepped) -> None:
        self.text.step_match(message.step)

    @on(SearchBar.Accepted)
    def _accepted(self) -> None:
        self.query_one("#find").display = False
        self.text.focus()

    @on(SearchBar.Cancelled)
    def _cancelled(self) -> None:
        self._accepted()
        self.text.search("")

    # --- keys ------------------------------------------------------------------------------------------------

    def action_changed_pass(self, step: int) -> None:
        self._become(state.step_changed(self.state, self.recording.passes, step))

    def action_change(self, step: int) -> None:
        self.text.step_change(step)

    def action_search(self) -> None:
        self._search_from = self.text.row or 0
        self.query_one("#find").display = True
        bar = self.query_one(SearchBar)
        bar.value = self.text.query_text
        # At once, unlike bar.focus(): the keys that follow are to be typed into it.
        self.set_focus(bar)

    def action_match(self, step: int) -> None:
        self.text.step_match(step)

    def action_toggle_changed_only(self) -> None:
        self._become(state.toggle_changed_only(self.state, self.recording.passes))

    def action_toggle_full_text(self) -> None:
        self._become(replace(self.state, full_text=not self.state.full_text))

    def action_toggle_renumbering(self) -> None:
        self._become(replace(self.state, hide_renumbering=not self.state.hide_renumbering))

    def action_toggle_generated(self) -> None:
        self._become(replace(self.state, generated=not self.state.generated))

    def action_toggle_source(self) -> None:
        if self.source.has_focus:
            self.text.focus()
        self.source.display = not self.source.display

    def action_toggle_theme(self) -> None:
        dark = self.app.current_theme.dark
        self.app.theme = "tilescope-light" if dark else "tilescope-dark"

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def action_back(self) -> None:
        if self.text.query_text:
            self.text.search("")
        elif self.state.generated:
            self.action_toggle_generated()
        else:
            self.passes.focus()
