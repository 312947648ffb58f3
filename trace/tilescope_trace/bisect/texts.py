"""Questions about the printed text."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .model import MatchedLine, Moment

SHOWN = 5
"""Most matching lines that are kept."""


@dataclass(frozen=True)
class TextQuery:
    """Whether a text contains ``text``, or, with ``regex``, something that matches it (``^`` and ``$`` at lines)."""

    text: str
    regex: bool = False

    @property
    def words(self) -> str:
        """What is asked for."""
        return f"the pattern {self.text!r}" if self.regex else f"the text {self.text!r}"

    def of(self, recording: Recording, text: str) -> Moment:
        """The matches in one text."""
        return self.among(recording.text(text))

    def among(self, body: str) -> Moment:
        """The matches in ``body``. Raises UsageError for a pattern that is none."""
        try:
            pattern = re.compile(self.text if self.regex else re.escape(self.text), re.MULTILINE)
        except re.error as error:
            raise UsageError(f"{self.text!r} is no regular expression: {error}") from None
        starts = [found.start() for found in pattern.finditer(body)]
        lines = body.split("\n")
        ends = list(accumulate((len(line) + 1 for line in lines), initial=0))
        numbers = dict.fromkeys(bisect_right(ends, start) for start in starts)
        shown = tuple(MatchedLine(number, lines[number - 1]) for number in list(numbers)[:SHOWN])
        return Moment(bool(starts), len(starts), shown)
