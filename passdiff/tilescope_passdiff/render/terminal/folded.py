"""Lines too long for a terminal, folded so that a continuation cannot be read as a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

MORE = "›"
"""Stands where a continuation would have the sign of a line."""
INDENT = 4
"""Further columns by which a continuation is indented."""
LEAST = 20
"""Columns that a continuation gets at least, however deep its line is indented."""

_HEAD = re.compile(r"(?:[^│]*│ )?[-+ ]*")


def folded(text: Text, width: int) -> Text:
    """``text`` with each line that is wider than ``width`` columns folded, at a blank of the line's second half if it
    has one. A continuation starts with ``›`` and stands a little to the right of its line's own text."""
    lines = text.split("\n", allow_blank=True)
    return Text("\n", no_wrap=True, overflow="ignore", end=text.end).join(
        part for line in lines for part in _parts(line, width)
    )


def _parts(line: Text, width: int) -> Iterator[Text]:
    if cell_len(line.plain) <= width:
        yield line
        return
    match = _HEAD.match(line.plain)
    head = match.end() if match else 0
    indent = min(head + INDENT, max(1, width - LEAST))
    lead = Text(MORE.ljust(indent), "dim")
    first, rest = _cut(line, width, head)
    yield first
    while rest:
        first, rest = _cut(rest, width - indent)
        yield lead + first


def _cut(line: Text, width: int, head: int = 0) -> tuple[Text, Text]:
    """What fits ``width`` columns, and the rest without the blanks it begins with. The first ``head`` characters, the
    line's indentation, stay together."""
    end = _fitting(line.plain, width)
    if end == len(line.plain):
        return line, Text()
    blank = line.plain.rfind(" ", max(end // 2, head), end + 1)
    at = max(1, end) if blank < 0 else blank
    rest = line.plain[at:]
    return line[:at], line[at + len(rest) - len(rest.lstrip(" ")) :]


def _fitting(text: str, width: int) -> int:
    """How many characters fit ``width`` columns."""
    if text[:width].isascii():
        return min(len(text), width)
    end = columns = 0
    for character in text:
        columns += cell_len(character)
        if columns > width:
            break
        end += 1
    return end
