"""A list over the browser with a line to type in: what all passes hold, bookmarks and notes, what can be exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.messages import Activated
from tilescope_passdiff.tui.paint import cells
from tilescope_passdiff.tui.palette import DARK, PALETTES
from tilescope_passdiff.tui.widgets.line_view import LineView

from .stack import leave

Result = TypeVar("Result")


@dataclass(frozen=True)
class Entry(Generic[Result]):
    """One line: ``parts`` are texts with the names of their styles; ``result`` is what choosing it gives."""

    parts: tuple[tuple[str, str], ...]
    result: Result


class EntryList(LineView):
    """The entries; the keys are those of the line above."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="entries")
        self.entries: Sequence[Entry[object]] = ()

    @property
    def count(self) -> int:
        return len(self.entries)

    def take(self, entries: Sequence[Entry[object]], *, keep: bool) -> None:
        """Shows other entries; ``keep`` leaves the cursor where it is."""
        self.entries = entries
        width = max((sum(cells(text) for text, _ in entry.parts) for entry in entries), default=0)
        if not keep:
            self.cursor = 0
            self.scroll_to(y=0, animate=False, force=True)
        self.relaid(width + 1)

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles = self.styled
        back = styles.cursor if selected else Style.null()
        gutter = [Segment("▶" if selected else " ", styles.pointer + back)]
        parts = [Segment(text, styles.named(name) + back) for text, name in self.entries[index].parts]
        return gutter, parts, styles.text + back


class FinderInput(Input):
    """The line above the list."""

    BINDINGS = bindings("list")
    DEFAULT_CSS = "FinderInput, FinderInput:focus { border: none; height: 1; padding: 0 1; background: $panel; }"

    def action_step(self, step: int) -> None:
        self.screen.query_one(EntryList).action_cursor(step)

    def action_accept(self) -> None:
        finder = self.screen
        assert isinstance(finder, Finder)
        finder.choose()

    def action_cancel(self) -> None:
        leave(self.screen)

    def action_remove(self) -> None:
        finder = self.screen
        assert isinstance(finder, Finder)
        finder.delete()

    def action_toggle_regex(self) -> None:
        finder = self.screen
        assert isinstance(finder, Finder)
        finder.toggle_regex()


class Finder(ModalScreen[Result | None]):
    """Base of the lists. A subclass says what is listed for what was typed (``list_for``)."""

    DEFAULT_CSS = """
    Finder { align: center middle; }
    Finder Vertical {
        width: 96%; max-width: 140; height: 90%; border: round $accent; border-title-color: $accent;
        padding: 0; background: $background;
    }
    Finder #summary { height: 1; padding: 0 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, title: str, placeholder: str, value: str = "") -> None:
        super().__init__()
        self._title, self._placeholder, self._value = title, placeholder, value

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self._title
            box.border_subtitle = "↑ ↓ Enter · Esc closes"
            yield FinderInput(self._value, placeholder=self._placeholder)
            yield Static(id="summary")
            yield EntryList()

    def on_mount(self) -> None:
        if not self.query(EntryList):
            # The browser ended before the list came up.
            return
        self.entries.look(PALETTES.get(self.app.theme, DARK), monochrome=self.app.no_color)
        self.query_one(FinderInput).focus()
        self.list_for(self._value)

    @property
    def entries(self) -> EntryList:
        return self.query_one(EntryList)

    @property
    def typed(self) -> str:
        """What stands in the line."""
        return self.query_one(FinderInput).value

    def list_for(self, typed: str) -> None:
        """Lists what fits to what was typed."""
        raise NotImplementedError

    def say(self, summary: str) -> None:
        """Puts a line between input and list."""
        self.query_one("#summary", Static).update(Content(summary), layout=False)

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        self.list_for(message.value)

    @on(Activated)
    def _activated(self) -> None:
        self.choose()

    def choose(self) -> None:
        """Ends with the entry at the cursor."""
        if self.entries.count:
            leave(self, self.entries.entries[self.entries.cursor].result)

    def delete(self) -> None:
        """What Del does to the entry at the cursor: nothing in most lists."""

    def toggle_regex(self) -> None:
        """What Ctrl+R does: nothing in most lists."""
