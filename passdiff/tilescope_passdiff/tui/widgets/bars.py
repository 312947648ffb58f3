"""The lines above and below the panes: what is shown, which keys there are, what is searched for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input, Static

from tilescope_passdiff.tui.keyboard import bindings, footer_entries
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.paint import clean
from tilescope_trace.model import PassRecord, RecordingInfo

Newer = Literal["", "recording", "unrecordable"]
"""What became of a text that was saved after the recorded one; empty where there is none."""


class Header(Static):
    """Kernel, target, status, time and specialization of the recording, in this order: the last may be cut off."""

    DEFAULT_CSS = """
    Header { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def tell(self, text: str) -> None:
        """Shows other text."""
        self.update(Content.styled(clean(text), "bold"), layout=False)


def header(info: RecordingInfo, passes: Sequence[PassRecord], newer: Newer = "") -> Content:
    """The text of the header. Where there is a ``newer`` text than the recorded one, it says so instead of how that
    one went."""
    kernel = info.kernel
    arguments = ", ".join(
        f"{name}={_literal(argument.value)}" for name, argument in kernel.specialization.args.items()
    )
    failed = next((record.label for record in passes if record.status == "failed"), None)
    status = {
        "ok": Content.styled("✓ ok", "$success"),
        "failed": Content.styled(f"✗ failed in {clean(failed)}" if failed else "✗ failed", "bold $error"),
        "incomplete": Content.styled("✗ incomplete", "bold $error"),
    }[info.status]
    if newer == "recording":
        status = Content.styled("… recording the saved text", "$accent")
    elif newer == "unrecordable":
        status = Content.styled("✗ the saved text cannot be recorded, this is the one before", "bold $error")
    parts = [
        Content.styled(clean(kernel.qualname), "bold"),
        Content.styled(clean(kernel.target), "$accent"),
        status,
        Content("" if newer else _duration(info)),
        Content.styled(clean(arguments), "$dim"),
    ]
    return Content(" · ").join([part for part in parts if part])


def _duration(info: RecordingInfo) -> str:
    """How long lowering took; nothing where it did not begin."""
    if info.status == "ok":
        return f"lowered in {info.lower_ms:.0f} ms"
    return f"ended after {info.lower_ms:.0f} ms" if info.lower_ms >= 0.5 else ""


def _literal(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


class Footer(Static):
    """The main keys; those that act on the whole browser can be clicked."""

    DEFAULT_CSS = """
    Footer {
        height: 1; background: $panel; padding: 0 1; text-wrap: nowrap;
        link-style: none; link-color: $foreground; link-style-hover: underline;
        link-color-hover: $accent; link-background-hover: $panel;
    }
    """

    def show(self, scopes: Sequence[Scope], width: int, found: str = "") -> None:
        """Shows what a search ``found``, then the keys of ``scopes`` that fit into ``width`` cells."""
        self.update(footer(scopes, width - 2, found), layout=False)


def footer(scopes: Sequence[Scope], width: int, found: str = "") -> Content:
    """The text of the footer: what was found and as many whole items as fit."""
    content = Content.styled(clean(found), "bold $accent")
    for entry in footer_entries(scopes):
        click = Style.from_meta({"@click": entry.click}) if entry.click else Style.null()
        item = Content.assemble((entry.pressed, Style(bold=True) + click), (f" {entry.text}", click))
        gap = 2 if content else 0
        if content.cell_length + gap + item.cell_length > width:
            break
        content = content + Content(" " * gap) + item
    return content


class SearchBar(Input):
    """The line to type a search in; it posts what changed and leaves finding to the browser."""

    BINDINGS = bindings("search")
    DEFAULT_CSS = """
    SearchBar, SearchBar:focus { height: 1; border: none; padding: 0; background: $panel; }
    """

    @dataclass
    class Stepped(Message):
        """To the next (1) or previous (-1) match."""

        step: int

    class Accepted(Message):
        """Enter: back to the text, at the match."""

    class Cancelled(Message):
        """Escape: as before the search."""

    class RegexToggled(Message):
        """Plain text becomes a regular expression, or the other way round."""

    def action_accept(self) -> None:
        self.post_message(self.Accepted())

    def action_step(self, step: int) -> None:
        self.post_message(self.Stepped(step))

    def action_cancel(self) -> None:
        self.post_message(self.Cancelled())

    def action_toggle_regex(self) -> None:
        self.post_message(self.RegexToggled())
