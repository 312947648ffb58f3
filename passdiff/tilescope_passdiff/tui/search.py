"""Plain text search over rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LONGEST_QUERY = 20
"""Characters of a query that are repeated in a summary."""


@dataclass(frozen=True, order=True)
class Match:
    """Characters ``start`` up to ``end`` of row ``row``."""

    row: int
    start: int
    end: int


def find(lines: Iterable[str], query: str) -> tuple[Match, ...]:
    """All places of ``query``, not overlapping; upper and lower case differ only if the query has upper case."""
    if not query:
        return ()
    fold_case = query == query.lower()
    found: list[Match] = []
    for index, line in enumerate(lines):
        text = line.lower() if fold_case else line
        at = text.find(query)
        while at >= 0:
            found.append(Match(index, at, at + len(query)))
            at = text.find(query, at + len(query))
    return tuple(found)


def nearest(matches: Sequence[Match], row: int) -> int | None:
    """Index of the first match at or after ``row``, going round; None without matches."""
    if not matches:
        return None
    return bisect_left(matches, row, key=lambda match: match.row) % len(matches)


def following(matches: Sequence[Match], current: int | None, row: int, step: int) -> int | None:
    """Index of the match after (``step`` 1) or before (-1) the ``current`` one, going round. If the cursor left the
    current match's row, what counts is the cursor's ``row``."""
    if not matches:
        return None
    if current is not None and matches[current].row == row:
        return (current + step) % len(matches)
    if step > 0:
        return bisect_right(matches, row, key=lambda match: match.row) % len(matches)
    return (bisect_left(matches, row, key=lambda match: match.row) - 1) % len(matches)


def tally(matches: Sequence[Match], current: int | None) -> str:
    """``1 of 4``, ``4 times`` or ``no match``."""
    if not matches:
        return "no match"
    return f"{current + 1} of {len(matches)}" if current is not None else f"{len(matches)} times"


def summary(query: str, matches: Sequence[Match], current: int | None) -> str:
    """What is to be said about a search once its text is not to be seen any more; empty without one."""
    if not query:
        return ""
    shown = query if len(query) <= LONGEST_QUERY else f"{query[: LONGEST_QUERY - 1]}…"
    return f"“{shown}” {tally(matches, current)}"
