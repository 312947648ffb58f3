"""The lines of source that a finding is about, with carets under what it means."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tilescope_trace.model import Finding

from .wording import plain

WIDTH = 160
"""Code points shown of a line: generated files have lines of megabytes."""
BEFORE = 40
MOST_LINES = 4


def excerpt(finding: Finding, text: str) -> Iterator[tuple[str, str, str]]:
    """(number, line, carets) of each line shown, whose number is empty where lines are left out; nothing where the
    place is not in the text."""
    lines = text.split("\n")
    last = min(max(finding.end_line, finding.line), len(lines))
    if not 1 <= finding.line <= len(lines):
        return
    numbers = list(range(finding.line, last + 1))
    shown = numbers if len(numbers) <= MOST_LINES else [*numbers[: MOST_LINES - 1], numbers[-1]]
    for before, number in zip([finding.line, *shown], shown, strict=False):
        if number > before + 1:
            yield "", "...", ""
        line = lines[number - 1]
        start = finding.column - 1 if number == finding.line else len(line) - len(line.lstrip())
        end = finding.end_column - 1 if number == finding.end_line else len(line.rstrip())
        yield str(number), *_window(line, start, max(end, start + 1))


def _window(line: str, start: int, end: int) -> tuple[str, str]:
    """The part of a line around what is underlined, and the line of carets."""
    left = 0 if len(line) <= WIDTH else max(0, min(start - BEFORE, len(line) - WIDTH))
    part = line[left : left + WIDTH]
    start, end = max(0, start - left), min(end - left, max(len(part), start - left + 1))
    code = plain(part).expandtabs(4)
    indent = _cells(plain(part[:start]).expandtabs(4))
    under = _cells(plain(part[:end]).expandtabs(4)) - indent
    marks = ("... " if left else "", " ..." if left + WIDTH < len(line) else "")
    return f"{marks[0]}{code}{marks[1]}".rstrip(), " " * (indent + len(marks[0])) + "^" * max(1, under)


def _cells(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )
