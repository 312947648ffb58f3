"""Every key of the browser, once: bindings, footer and help are all made from this table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Scope = Literal["pane", "browser", "search", "help"]

SCOPES: dict[Scope, str] = {
    "pane": "In the focused pane",
    "browser": "Anywhere",
    "search": "While typing a search",
    "help": "In this help",
}


@dataclass(frozen=True)
class Key:
    """``keys`` are Textual key names, the first one preferred; ``footer`` is the short word of the footer, None for
    a key that only the help shows. Keys with a common ``group`` share one line, in order."""

    scope: Scope
    keys: tuple[str, ...]
    action: str
    help: str
    footer: str | None = None
    group: str | None = None


KEYS: tuple[Key, ...] = (
    Key("pane", ("j", "down"), "cursor(1)", "next / previous line", "move", "move"),
    Key("pane", ("k", "up"), "cursor(-1)", "next / previous line", "move", "move"),
    Key("pane", ("pagedown", "space"), "page(1)", "page down / up", group="page"),
    Key("pane", ("pageup",), "page(-1)", "page down / up", group="page"),
    Key("pane", ("home",), "edge(-1)", "first / last line", group="edge"),
    Key("pane", ("end",), "edge(1)", "first / last line", group="edge"),
    Key("pane", ("left",), "sideways(-8)", "scroll sideways", group="sideways"),
    Key("pane", ("right",), "sideways(8)", "scroll sideways", group="sideways"),
    Key("pane", ("enter",), "activate", "read the pass · unfold · go to the IR of the line"),
    Key("browser", ("n",), "changed_pass(1)", "next / previous changed pass", "changed", "changed"),
    Key("browser", ("p",), "changed_pass(-1)", "next / previous changed pass", "changed", "changed"),
    Key("browser", ("right_square_bracket",), "change(1)", "next / previous change in the pass", group="change"),
    Key("browser", ("left_square_bracket",), "change(-1)", "next / previous change in the pass", group="change"),
    Key("browser", ("tab",), "app.focus_next", "next / previous pane", "pane", "focus"),
    Key("browser", ("shift+tab",), "app.focus_previous", "next / previous pane", group="focus"),
    Key("browser", ("slash",), "search", "search in the text shown", "search"),
    Key("browser", ("greater_than_sign",), "match(1)", "next / previous match", "match", "match"),
    Key("browser", ("less_than_sign",), "match(-1)", "next / previous match", "match", "match"),
    Key("browser", ("question_mark",), "help", "this help", "help"),
    Key("browser", ("q",), "app.quit", "quit", "quit"),
    Key("browser", ("c",), "toggle_changed_only", "list changed passes only", "only changed"),
    Key("browser", ("f",), "toggle_full_text", "whole text / changes with context", "full text"),
    Key("browser", ("r",), "toggle_renumbering", "hide / show renumbered names"),
    Key("browser", ("g",), "toggle_generated", "generated source / pass", "generated"),
    Key("browser", ("s",), "toggle_source", "show or hide the Python source"),
    Key("browser", ("t",), "toggle_theme", "light / dark colours"),
    Key("browser", ("escape",), "back", "leave search, generated source, pane"),
    Key("search", ("enter",), "accept", "to the text, at the match", "accept"),
    Key("search", ("down",), "step(1)", "next / previous match", "next / previous", "step"),
    Key("search", ("up",), "step(-1)", "next / previous match", "next / previous", "step"),
    Key("search", ("escape",), "cancel", "stop searching", "cancel"),
    Key("help", ("escape", "q", "question_mark"), "app.pop_screen", "close", "close"),
)

_NAMES = {
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "slash": "/",
    "question_mark": "?",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "shift+tab": "Shift+Tab",
    "escape": "Esc",
}


def shown(key: str) -> str:
    """The name of a Textual key as a person knows it (``slash`` is ``/``)."""
    return _NAMES.get(key, key if len(key) == 1 else key.capitalize())


def bindings(scope: Scope) -> list[BindingType]:
    """The Textual bindings of one scope."""
    return [Binding(",".join(key.keys), key.action, key.help) for key in KEYS if key.scope == scope]


@dataclass(frozen=True)
class Entry:
    """One line of help, or one item of the footer: what to press, what it does, and the action of a click on it
    (None where the action belongs to a pane)."""

    pressed: str
    text: str
    click: str | None = None


def help_entries(scope: Scope) -> list[Entry]:
    """The lines of help for one scope, grouped keys on one line."""
    return [
        Entry("  ".join(shown(name) for key in group for name in key.keys), group[0].help)
        for group in _grouped(key for key in KEYS if key.scope == scope)
    ]


def footer_entries(scopes: Iterable[Scope]) -> list[Entry]:
    """The items of the footer for ``scopes``, most useful first."""
    chosen = [key for scope in scopes for key in KEYS if key.scope == scope and key.footer]
    return [
        Entry("/".join(shown(key.keys[0]) for key in group), group[0].footer or "", _click(group[0]))
        for group in _grouped(chosen)
    ]


def _click(key: Key) -> str | None:
    if key.scope != "browser":
        return None
    return key.action if key.action.startswith("app.") else f"screen.{key.action}"


def _grouped(keys: Iterable[Key]) -> list[list[Key]]:
    groups: dict[str, list[Key]] = {}
    for key in keys:
        groups.setdefault(key.group or key.action, []).append(key)
    return list(groups.values())
