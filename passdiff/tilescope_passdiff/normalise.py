"""What a diff may count as equal, where asked: renumbered names, other indentation.

A printer numbers equal names (``v``, ``v_1``, ``v_2``), and one name more shifts all after it; a block put around
others indents them. Off unless asked for: with it, two names that differ in nothing but their number look alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Key = Callable[[str], str]
"""What two lines are compared by."""

_NUMBERED = re.compile(r"""("(?:[^"\\]|\\.)*")|\b([^\W\d]\w*?)(?:_\d+)+\b""")


def without_numbers(line: str) -> str:
    """``line`` with the numbers at the ends of names left out, for use as ``key`` of ``lines.diff``; string literals
    stay (``"sm_80"`` is no numbered name)."""
    return _NUMBERED.sub(lambda found: found[1] or found[2], line)


def key_of(*, hide_renumbering: bool = False, hide_indentation: bool = False) -> Key | None:
    """What lines are compared by; None for the lines as they are."""
    if hide_renumbering and hide_indentation:
        return lambda line: without_numbers(line.strip())
    if hide_renumbering:
        return without_numbers
    return str.strip if hide_indentation else None
