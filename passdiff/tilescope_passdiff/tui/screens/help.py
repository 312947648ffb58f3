"""The help overlay, made from the key table."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tilescope_passdiff.tui.keyboard import bindings, help_entries
from tilescope_passdiff.tui.keys import SCOPES, Scope

from .stack import leave

MARKS = (
    ("●", "the pass changed the IR"),
    ("·", "it changed nothing"),
    ("✗", "it failed, or this line is at fault"),
    ("▶", "the cursor; in the source: the origin of the IR line"),
    ("│", "the origin of other IR lines in view"),
    ("◆", "belongs to the line selected elsewhere; changed it"),
    ("‹ ›", "moved or indented: from here, to here"),
    ("★", "a bookmark or a note"),
    ("▁▃█", "passes that changed it, in order; in the list: time"),
)


class Help(ModalScreen[None]):
    """All keys and marks."""

    BINDINGS = bindings("help")
    DEFAULT_CSS = """
    Help { align: center middle; }
    Help VerticalScroll {
        width: 78; max-width: 100%; height: auto; max-height: 100%;
        border: round $accent; border-title-color: $accent; padding: 0 1; background: $surface;
    }
    """

    def __init__(self, scopes: Sequence[Scope]) -> None:
        super().__init__()
        self.scopes = tuple(scopes)

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "Esc closes"
            yield Static(help_text(self.scopes))

    def action_close(self) -> None:
        leave(self)


def help_text(scopes: Sequence[Scope]) -> Content:
    """The text of the help for ``scopes``."""
    sections = [
        (title, [(entry.pressed, entry.text) for entry in help_entries(scope)])
        for scope, title in SCOPES.items()
        if scope in scopes
    ]
    sections.append(("Marks", list(MARKS)))
    column = max(len(pressed) for _, entries in sections for pressed, _ in entries) + 2
    lines: list[Content] = []
    for title, entries in sections:
        lines.append(Content.styled(title, "bold $accent"))
        lines += [Content.assemble(("  " + pressed.ljust(column), "bold"), text) for pressed, text in entries]
    return Content("\n").join(lines)
