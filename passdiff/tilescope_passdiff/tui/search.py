"""Search over rows: plain text, or a regular expression."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

Span = tuple[int, int]

LONGEST_QUERY = 20
"""Characters of a query that are repeated in a summary."""


@dataclass(frozen=True, order=True)
class Match:
    """Characters ``start`` up to ``end`` of row ``row``."""

    row: int
    start: int
    end: int


@dataclass(frozen=True)
class Query:
    """What is searched for. Upper and lower case differ only if the text has upper case."""

    text: str = ""
    regex: bool = False

    @property
    def problem(self) -> str:
        """Why the text is no regular expression; empty where it is one, or need not be."""
        if not self.regex:
            return ""
        try:
            re.compile(self.text)
        except (re.error, OverflowError, RecursionError) as error:
            return f"no pattern: {error}"
        return ""


def finder(query: Query) -> Callable[[str], Iterator[Span]]:
    """A function that gives the places of ``query`` in a text, not overlapping and not empty; none for a query that
    is empty or no pattern."""
    if not query.text or query.problem:
        return lambda _text: iter(())
    fold_case = query.text == query.text.lower()
    if query.regex:
        pattern = re.compile(query.text, re.MULTILINE | (re.IGNORECASE if fold_case else 0))
        return lambda text: (found.span() for found in pattern.finditer(text) if found.end() > found.start())
    return lambda text: _plain(text.lower() if fold_case else text, query.text)


def _plain(text: str, wanted: str) -> Iterator[Span]:
    at = text.find(wanted)
    while at >= 0:
        yield at, at + len(wanted)
        at = text.find(wanted, at + len(wanted))


def find(lines: Iterable[str], query: Query) -> tuple[Match, ...]:
    """All places of ``query``, line by line."""
    places = finder(query)
    return tuple(Match(index, start, end) for index, line in enumerate(lines) for start, end in places(line))


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


def summary(query: Query, matches: Sequence[Match], current: int | None) -> str:
    """What is to be said about a search once its text is not to be seen any more; empty without one."""
    text = query.text
    if not text:
        return ""
    shown = text if len(text) <= LONGEST_QUERY else f"{text[: LONGEST_QUERY - 1]}…"
    return f"“{shown}” {query.problem or tally(matches, current)}"
