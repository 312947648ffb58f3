"""What all screens have in common that show a text: searching, folding, copying, colours, help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import on
from textual.events import DescendantBlur, DescendantFocus, Resize
from textual.reactive import Reactive
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Input

from tilescope_passdiff.tui.keyboard import palette_entries
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.messages import Searched
from tilescope_passdiff.tui.palette import DARK, PALETTES
from tilescope_passdiff.tui.search import Query, summary
from tilescope_passdiff.tui.taking import hunk_text, line_text
from tilescope_passdiff.tui.widgets.bars import Footer, SearchBar
from tilescope_passdiff.tui.widgets.find_bar import FindBar
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.search_view import SearchView
from tilescope_passdiff.tui.widgets.text_view import TextView

from .commands import Command, Commands, Run
from .help import Help
from .stack import ask


@dataclass(frozen=True)
class Reading:
    """How a text is shown: whole or folded, in one column or two; ``zoom`` is the pane that is shown alone."""

    full: bool = False
    split: bool = False
    zoom: str | None = None


class Reader(Screen[int | None]):
    """Base of the screens. A subclass yields a TextView, a FindBar and a Footer among its widgets."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("pane", "reader")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (170, "-wide")]  # noqa: RUF012 - Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-high")]  # noqa: RUF012 - Textual declares it so
    CSS_PATH = "reader.tcss"
    # Textual would paint the whole screen anew when the focus moves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self) -> None:
        super().__init__()
        self.reading = Reading()
        self._search_from = 0

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._look)
        self._look(self.app.current_theme)

    def on_screen_resume(self) -> None:
        self.show_footer()

    @property
    def text(self) -> TextView:
        return self.query_one(TextView)

    @property
    def find(self) -> FindBar:
        return self.query_one(FindBar)

    @property
    def searched(self) -> SearchView:
        """The pane that is searched and copied from: the focused one, else the text."""
        focused = self.focused
        return focused if isinstance(focused, SearchView) and focused.display else self.text

    def _look(self, theme: Theme) -> None:
        for pane in self.query(LineView):
            pane.look(PALETTES.get(theme.name, DARK), monochrome=self.app.no_color)

    @on(DescendantFocus)
    @on(DescendantBlur)
    def _focus_footer(self) -> None:
        self.show_footer()

    def on_resize(self, _event: Resize) -> None:
        self.show_footer()

    def show_footer(self) -> None:
        """The keys that count now, after what a search found."""
        typing = isinstance(self.focused, SearchBar)
        pane = self.searched
        found = "" if typing else summary(pane.query_shown, pane.problem, pane.matches, pane.match)
        self.query_one(Footer).show(("search",) if typing else self.SCOPES, self.size.width, found)

    # --- search ----------------------------------------------------------------------------------------------

    def action_search(self) -> None:
        self._in = self.searched
        self._search_from = self._in.row or 0
        query = self._in.query_shown
        prompt = ".*" if query.regex else "/"
        self.find.open("search", prompt, "text to find · Ctrl+R: regular expression", query.text)
        self._searched()

    @on(Input.Changed, "#search")
    def _query_changed(self, message: Input.Changed) -> None:
        if self.find.purpose == "search":
            self._in.search(replace(self._in.query_shown, text=message.value), self._search_from)

    @on(SearchBar.RegexToggled)
    def _regex_toggled(self) -> None:
        if self.find.purpose == "search":
            query = self._in.query_shown
            self._in.search(Query(query.text, not query.regex), self._search_from)
            self.find.prompt(".*" if not query.regex else "/")

    @on(Searched)
    def _searched(self) -> None:
        if self.find.purpose == "search":
            self.find.tell(self._in.tally() if self._in.query_shown.text else "")
        self.show_footer()

    @on(SearchBar.Stepped)
    def _stepped(self, message: SearchBar.Stepped) -> None:
        if self.find.purpose == "search":
            self._in.step_match(message.step)

    @on(SearchBar.Accepted)
    def _accepted(self) -> None:
        if self.find.purpose == "search":
            self.find.close()
            self._in.focus()

    @on(SearchBar.Cancelled)
    def _cancelled(self) -> None:
        if self.find.purpose == "search":
            self._accepted()
            self._in.search(Query())

    def action_match(self, step: int) -> None:
        self.searched.step_match(step)

    # --- how it is shown -------------------------------------------------------------------------------------

    def action_change(self, step: int) -> None:
        self.text.step_change(step)

    def action_toggle_full_text(self) -> None:
        self.reading = replace(self.reading, full=not self.reading.full)
        self.arrange_text()

    def action_toggle_split(self) -> None:
        self.reading = replace(self.reading, split=not self.reading.split)
        self.arrange_text()

    def arrange_text(self) -> None:
        """Shows the text as ``reading`` says."""
        self.text.lay_out(full=self.reading.full, split=self.reading.split)

    def action_toggle_zoom(self) -> None:
        focused = self.focused
        zoom = focused.id if isinstance(focused, LineView) and self.reading.zoom is None else None
        self.reading = replace(self.reading, zoom=zoom)
        self.arrange_panes()

    def arrange_panes(self) -> None:
        """Shows the panes that there is room for."""
        for pane in self.query(LineView):
            pane.display = self.reading.zoom in (None, pane.id)

    def action_next_theme(self) -> None:
        names = list(PALETTES)
        at = names.index(self.app.theme) if self.app.theme in names else -1
        self.app.choose_theme(names[(at + 1) % len(names)])  # type: ignore[attr-defined]

    def action_help(self) -> None:
        ask(self, Help((*self.SCOPES, "search")))

    def action_commands(self) -> None:
        ask(self, Commands(tuple(self.commands())), self._run)

    def commands(self) -> Iterator[Command]:
        """What the command palette offers here."""
        for title, pressed, action in palette_entries(self.SCOPES):
            yield Command(title, pressed, partial(self.run_action, action))

    def _run(self, command: Run | None) -> None:
        if command is not None:
            self.call_next(command)

    # --- what is taken along ---------------------------------------------------------------------------------

    def action_copy(self, what: str) -> None:
        pane = self.searched
        if what == "hunk" and pane is self.text:
            copied = hunk_text(self.text.document, self.text.row)
        else:
            copied = line_text(pane.texts(), pane.row)
        if not copied:
            self.notify("nothing here to copy", severity="warning")
            return
        self.app.copy_to_clipboard(copied)
        lines = copied.count("\n") + 1
        self.notify(f"copied {lines} line{'s' * (lines != 1)}")

    def step_back(self) -> bool:
        """Leaves a search, else the zoom; whether there was one to leave."""
        if self.searched.query_shown.text:
            self.searched.search(Query())
        elif self.reading.zoom is not None:
            self.action_toggle_zoom()
        else:
            return False
        return True
