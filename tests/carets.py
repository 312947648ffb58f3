"""Expectations written under the code they are about.

A comment that begins with blanks and carets speaks of the columns above the carets, on the nearest line that is no
such comment; several of them may follow one line::

    A_shared = T.alloc_shared((block_M, block_K), "float16")
    #   ^^^^ [128, 32] float16 shared.dyn
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CARETS = re.compile(r"\s*#[ \t]*(\^+)[ \t]*(.*?)\s*")


@dataclass(frozen=True)
class Expectation:
    """``text`` is expected on ``line`` from ``column`` to ``end_column``: 1-based, code points, exclusive end."""

    line: int
    column: int
    end_column: int
    text: str


def expectations(text: str) -> list[Expectation]:
    """All expectations of a text, in the order they are written."""
    found: list[Expectation] = []
    subject = 0
    for number, line in enumerate(text.splitlines(), 1):
        match = _CARETS.fullmatch(line)
        if match is None:
            subject = number
        else:
            found.append(Expectation(subject, match.start(1) + 1, match.end(1) + 1, match[2]))
    return found


def without_expectations(text: str) -> str:
    """The same lines with expectations left empty: TileLang dedents a kernel's source before it parses it, which a
    comment to the left of the body prevents."""
    return "\n".join("" if _CARETS.fullmatch(line) else line for line in text.split("\n"))
