"""Which panes a terminal of some size has room for, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .state import Companion

WIDE, HIGH = 170, 36
"""Columns from which companions stand at the right of the text, rows from which they get a good part of the room."""
_LEAST_COLUMNS, _LEAST_ROWS = 50, 11
"""Room that a companion beside or below another one needs."""
_LOW = 6


@dataclass(frozen=True)
class Arrangement:
    """``list_width`` in columns; ``companions`` that are shown, ``right`` of the text (else below it) in a share of
    the room; ``rows`` is their height below it, None for a share."""

    list_width: int
    companions: tuple[Companion, ...]
    right: bool
    rows: int | None


def arrange(width: int, height: int, wanted: Sequence[Companion]) -> Arrangement:
    """Places the ``wanted`` panes (the last one is wanted most) in a terminal of ``width`` x ``height`` cells."""
    list_width = max(30, min(46 if width < 200 else 58, width * 30 // 100))
    right = width >= WIDE
    fitting = max(1, height // _LEAST_ROWS if right else (width - list_width) // _LEAST_COLUMNS)
    order: tuple[Companion, ...] = ("source", "generated", "facts")
    newest = wanted[-fitting:]
    rows = None
    if not right and height < HIGH:
        rows = min(_LOW, height // 3) if "facts" not in newest else height // 2
    return Arrangement(list_width, tuple(one for one in order if one in newest), right, rows)
