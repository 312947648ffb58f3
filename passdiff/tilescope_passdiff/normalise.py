"""Hides renumbering: a printer numbers equal names (``v``, ``v_1``, ``v_2``), and one name more shifts all after it.

Off unless asked for: with it, two names that differ in nothing but their number look alike.
"""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"""("(?:[^"\\]|\\.)*")|\b([^\W\d]\w*?)(?:_\d+)+\b""")


def without_numbers(line: str) -> str:
    """``line`` with the numbers at the ends of names left out, for use as ``key`` of ``lines.diff``; string literals
    stay (``"sm_80"`` is no numbered name)."""
    return _NUMBERED.sub(lambda found: found[1] or found[2], line)
