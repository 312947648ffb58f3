"""Syntax of single lines, good enough to read by: IR and Python, and the C dialects of generated source.

A line is lexed when it is drawn, so a text of any length costs only what is visible; what spans lines (a docstring, a
block comment) is carried as ``Inside`` from line to line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, cast

Language = Literal["python", "c"]
Kind = Literal["keyword", "builtin", "string", "number", "comment"]
Inside = Literal["", "'''", '"""', "/*"]
Span = tuple[int, int, Kind]

LONGEST = 2000
"""Characters of a line that are coloured; the rest of a longer one stays plain."""

_PYTHON_WORDS = (
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield"
)
_C_WORDS = (
    "alignas auto bool break case char class const constexpr continue default do double else enum extern false float "
    "for if inline int kernel long namespace nullptr return short signed sizeof static struct switch template true "
    "typedef typename uint unsigned using void volatile while __global__ __device__ __shared__ __restrict__ "
    "__launch_bounds__ __forceinline__ __aicore__ __gm__"
)


def _words(words: str) -> str:
    return r"\b(?:" + "|".join(words.split()) + r")\b"


_NUMBER = r"\b(?:0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)[a-zA-Z]*"
_STRING = r"\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?"
_LEXERS: dict[Language, re.Pattern[str]] = {
    "python": re.compile(
        rf"(?P<comment>\#.*)|(?P<open>'''|\"\"\")|(?P<string>{_STRING})|(?P<keyword>{_words(_PYTHON_WORDS)})"
        rf"|(?P<builtin>@[\w.]+|\bT\.[\w.]+)|(?P<number>{_NUMBER})|\w+"
    ),
    "c": re.compile(
        rf"(?P<comment>//.*)|(?P<open>/\*)|(?P<string>{_STRING})|(?P<keyword>{_words(_C_WORDS)}|^\s*\#\s*\w+)"
        rf"|(?P<builtin>\b\w+::[\w:]+|\b(?:threadIdx|blockIdx|blockDim|gridDim)\b)|(?P<number>{_NUMBER})|\w+"
    ),
}
_CLOSERS: dict[Inside, tuple[str, Kind]] = {
    "'''": ("'''", "string"),
    '"""': ('"""', "string"),
    "/*": ("*/", "comment"),
}


@lru_cache(maxsize=8192)
def spans(line: str, language: Language, inside: Inside = "") -> tuple[tuple[Span, ...], Inside]:
    """Coloured spans (start, end, kind) of a line in code points, sorted and disjoint; and what it ends in."""
    found: list[Span] = []
    at = 0
    length = min(len(line), LONGEST)
    while at < length:
        if inside:
            closer, kind = _CLOSERS[inside]
            end = line.find(closer, at)
            stop = length if end < 0 else end + len(closer)
            found.append((at, stop, kind))
            at, inside = stop, "" if end >= 0 else inside
            continue
        match = _LEXERS[language].search(line, at, length)
        if match is None:
            break
        at = match.end()
        if match.lastgroup == "open":
            inside = cast(Inside, match.group())
            found.append((match.start(), at, _CLOSERS[inside][1]))
        elif match.lastgroup:
            found.append((match.start(), at, cast(Kind, match.lastgroup)))
    return tuple(found), inside


def carried(lines: Iterable[str], language: Language) -> tuple[Inside, ...]:
    """What each line starts inside of, for a whole text."""
    opener = "/*" if language == "c" else '"'
    inside: Inside = ""
    result: list[Inside] = []
    for line in lines:
        result.append(inside)
        if inside or opener in line or "'''" in line:
            inside = spans(line, language, inside)[1]
    return tuple(result)
