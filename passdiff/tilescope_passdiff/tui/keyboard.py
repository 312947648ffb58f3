"""What is made from the table of keys: bindings, footer, help."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from .keys import KEYS, Key, Scope

_ALTERNATIVES = re.compile(r"(\w+) / (\w+) (.+)")
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
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "colon": ":",
    "ctrl+p": "Ctrl+P",
    "ctrl+r": "Ctrl+R",
    "ctrl+z": "Ctrl+Z",
    "delete": "Del",
    "plus": "+",
    "minus": "-",
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


def palette_entries(scopes: Iterable[Scope]) -> list[tuple[str, str, str]]:
    """What can be done in ``scopes`` but for moving about: title, key and action."""
    wanted = set(scopes) - {"pane", "lanes"}
    chosen = [key for key in KEYS if key.scope in wanted and key.action != "commands"]
    return [
        (_titled(key.help, at, len(group)), shown(key.keys[0]), key.action)
        for group in _grouped(chosen)
        for at, key in enumerate(group)
    ]


def _titled(text: str, at: int, count: int) -> str:
    """The part of ``next / previous changed pass`` that one key of the group means."""
    halves = _ALTERNATIVES.fullmatch(text)
    return text if count != 2 or halves is None else f"{halves[at + 1]} {halves[3]}"


def footer_entries(scopes: Iterable[Scope]) -> list[Entry]:
    """The items of the footer for ``scopes``, in the order of the table: most useful first."""
    wanted = set(scopes)
    chosen = [key for key in KEYS if key.scope in wanted and key.footer]
    return [
        Entry("/".join(shown(key.keys[0]) for key in group), group[0].footer or "", _click(group[0]))
        for group in _grouped(chosen)
    ]


def _click(key: Key) -> str | None:
    if key.scope not in ("reader", "browser", "compare", "history", "timeline"):
        return None
    return key.action if key.action.startswith("app.") else f"screen.{key.action}"


def _grouped(keys: Iterable[Key]) -> list[list[Key]]:
    groups: dict[str, list[Key]] = {}
    for key in keys:
        groups.setdefault(key.group or key.action, []).append(key)
    return list(groups.values())
