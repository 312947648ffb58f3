"""A line to be written: a note, the name of a file."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tilescope_passdiff.tui.keyboard import bindings

from .stack import leave


class FormInput(Input):
    """The input of a form; Enter and Escape are the form's."""

    DEFAULT_CSS = "FormInput, FormInput:focus { border: none; height: 1; padding: 0; background: $panel; }"


class Form(ModalScreen[str | None]):
    """Asks for one line; its result is the line, None where the person left."""

    BINDINGS = bindings("form")
    DEFAULT_CSS = """
    Form { align: center middle; }
    Form Vertical {
        width: 76; max-width: 100%; height: auto; border: round $accent; border-title-color: $accent;
        padding: 0 1; background: $surface;
    }
    Form Static { color: $text-muted; }
    """

    def __init__(self, title: str, explanation: str, value: str = "") -> None:
        super().__init__()
        self._title, self._explanation, self._value = title, explanation, value

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self._title
            box.border_subtitle = "Enter writes · Esc leaves"
            yield Static(Content(self._explanation))
            yield FormInput(self._value)

    def on_mount(self) -> None:
        self.query_one(FormInput).focus()

    def on_input_submitted(self) -> None:
        self.action_accept()

    def action_accept(self) -> None:
        leave(self, self.query_one(FormInput).value)

    def action_cancel(self) -> None:
        leave(self)
