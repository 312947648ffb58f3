"""Lines of source as Python's tokenizer and editors count them.

Unlike for `str.splitlines`, form feeds, file separators and Unicode separators end no line: numbers of lines from a
syntax tree, the compiler or an editor would mean others.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LINE_END = re.compile(r"\r\n|\r|\n")


@lru_cache(maxsize=8)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines without their ends; a final line end is followed by an empty line. The few texts in use are split
    once each."""
    return tuple(_LINE_END.split(text) if "\r" in text else text.split("\n"))


def line_starts(text: str) -> list[int]:
    """The offset of each line that `lines_of` gives."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]
