"""Search over rows: plain text, or a regular expression.

Patterns are those of the library ``regex``: matching can be given a time, and lets other threads draw meanwhile. With
those of the standard library ``(a+)+b`` would stop the browser for good.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

Span = tuple[int, int]

LONGEST_QUERY = 20
"""Characters of a query that are repeated in a summary."""
LONGEST_PATTERN, MOST_REPEATS = 1000, 1000
"""Limits of a pattern: what is longer, or repeats a part more often, takes seconds and much memory to compile."""
PATIENCE_S = 0.3
"""Time that a pattern gets for all rows of a pane."""
_COUNT = re.compile(r"\{\s*(\d*)\s*,?\s*(\d*)\s*\}")


class SlowPatternError(Exception):
    """A pattern took all the time that it was given."""

    def __init__(self) -> None:
        super().__init__("this pattern takes too long")


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
        return _problem(self.text) if self.regex else ""


@lru_cache(maxsize=64)
def _problem(pattern: str) -> str:
    if len(pattern) > LONGEST_PATTERN:
        return f"no pattern: longer than {LONGEST_PATTERN} characters"
    repeats = 1
    for counts in _COUNT.findall(pattern):
        # Nested counts multiply, so all are taken together.
        repeats *= max((int(count[:9]) for count in counts if count), default=1) or 1
    if repeats > MOST_REPEATS:
        return f"no pattern: it repeats a part more than {MOST_REPEATS} times"
    try:
        regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError, MemoryError) as error:
        return f"no pattern: {error}"
    return ""


def finder(query: Query, patience_s: float = PATIENCE_S) -> Callable[[str], Iterator[Span]]:
    """A function that gives the places of ``query`` in a text, not overlapping and not empty; none for a query that
    is empty or no pattern. It raises SlowPatternError once a pattern was matched for ``patience_s``, all texts taken
    together."""
    if not query.text or query.problem:
        return lambda _text: iter(())
    fold_case = query.text == query.text.lower()
    if query.regex:
        flags = regex.MULTILINE | (regex.IGNORECASE if fold_case else 0)
        return _patient(regex.compile(query.text, flags), patience_s)
    if not fold_case:
        return lambda text: _plain(text, query.text)
    anyhow = re.compile(re.escape(query.text), re.IGNORECASE)

    def folded(text: str) -> Iterator[Span]:
        lowered = text.lower()
        # Some letters are two in lower case: places in it would be others than those in the text.
        if len(lowered) == len(text):
            return _plain(lowered, query.text)
        return (found.span() for found in anyhow.finditer(text))

    return folded


def _patient(pattern: regex.Pattern[str], patience_s: float) -> Callable[[str], Iterator[Span]]:
    left = patience_s

    def places(text: str) -> Iterator[Span]:
        nonlocal left
        began = time.perf_counter()
        if left <= 0:
            raise SlowPatternError
        try:
            matches = pattern.finditer(text, timeout=left, concurrent=True)
            spans = [found.span() for found in matches if found.end() > found.start()]
        except (TimeoutError, RecursionError, MemoryError):
            left = 0.0
            raise SlowPatternError from None
        left -= time.perf_counter() - began
        return iter(spans)

    return places


def _plain(text: str, wanted: str) -> Iterator[Span]:
    at = text.find(wanted)
    while at >= 0:
        yield at, at + len(wanted)
        at = text.find(wanted, at + len(wanted))


def find(lines: Iterable[str], query: Query) -> tuple[Match, ...]:
    """All places of ``query``, line by line. Raises SlowPatternError."""
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


def summary(query: Query, problem: str, matches: Sequence[Match], current: int | None) -> str:
    """What is to be said about a search, or its ``problem``, once its text is not to be seen any more; empty without
    one."""
    text = query.text
    if not text:
        return ""
    shown = text if len(text) <= LONGEST_QUERY else f"{text[: LONGEST_QUERY - 1]}…"
    return f"“{shown}” {problem or tally(matches, current)}"
