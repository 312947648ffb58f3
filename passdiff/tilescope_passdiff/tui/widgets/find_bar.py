"""The line in which a search or a filter is typed, with what it found."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from .bars import SearchBar


class FindBar(Horizontal):
    """Hidden until it is opened for a purpose: ``/`` to search, ``filter`` for passes."""

    DEFAULT_CSS = """
    FindBar { height: 1; background: $panel; display: none; padding: 0 1; }
    FindBar Static { width: auto; }
    FindBar SearchBar { width: 1fr; }
    FindBar #found { padding: 0 0 0 2; color: $accent; text-style: bold; }
    """

    purpose = ""

    def compose(self) -> ComposeResult:
        yield Static("/", id="prompt")
        yield SearchBar(id="search")
        yield Static(id="found")

    @property
    def bar(self) -> SearchBar:
        """The input."""
        return self.query_one(SearchBar)

    def open(self, purpose: str, prompt: str, placeholder: str, value: str) -> None:
        """Shows the line with ``value`` in it, to be typed into at once."""
        self.purpose = purpose
        self.prompt(prompt)
        self.display = True
        self.bar.placeholder = placeholder
        with self.prevent(SearchBar.Changed):
            self.bar.value = value
            self.bar.cursor_position = len(value)
        # At once, unlike bar.focus(): the keys that follow are to be typed into it.
        self.screen.set_focus(self.bar)

    def prompt(self, text: str) -> None:
        """Puts another sign before the input."""
        self.query_one("#prompt", Static).update(Content(text))

    def close(self) -> None:
        """Hides the line."""
        self.purpose = ""
        self.display = False

    def tell(self, found: str) -> None:
        """Shows what was found."""
        self.query_one("#found", Static).update(Content(found))
