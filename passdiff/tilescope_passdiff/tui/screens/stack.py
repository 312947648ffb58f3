"""Screens over screens.

Several keys may wait for a screen that the first of them leaves or covers: only the screen on top opens another, and
each is left once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual.screen import Screen

Result = TypeVar("Result")


def ask(over: Screen[Any], screen: Screen[Result], then: Callable[[Result | None], None] | None = None) -> None:
    """Lays ``screen`` over the one it comes from; ``then`` hears its result."""
    if over.is_active:
        over.app.push_screen(screen, then)


def leave(screen: Screen[Any], result: object = None) -> None:
    """Ends ``screen`` with ``result``."""
    if screen.is_active:
        screen.dismiss(result)
