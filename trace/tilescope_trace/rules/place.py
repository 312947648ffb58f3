"""From a line number to the characters of the line that a finding underlines."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """1-based lines and columns (code points); the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def line_text(text: str, line: int) -> str:
    """Line ``line`` (1-based) without its end; empty outside the text."""
    lines = text.splitlines()
    return lines[line - 1] if 1 <= line <= len(lines) else ""


def line_span(text: str, line: int) -> Span:
    """The code on ``line``: without indentation, trailing blanks and a trailing comment."""
    content = line_text(text, line)
    start = len(content) - len(content.lstrip())
    code = re.sub(r"\s+#[^\"']*$", "", content.rstrip())
    end = len(code) if len(code) > start else len(content.rstrip())
    return Span(line, start + 1, line, max(end, start) + 1)


def name_span(text: str, line: int, name: str) -> Span:
    """The first whole-word ``name`` on ``line``, or all code on the line where it does not occur."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line_text(text, line))
    if found is None:
        return line_span(text, line)
    return Span(line, found.start() + 1, line, found.end() + 1)


def first_line_span(text: str) -> Span:
    """The first line that has anything on it, for findings about the whole file."""
    for number, content in enumerate(text.splitlines(), start=1):
        if content.strip():
            return line_span(text, number)
    return Span(1, 1, 1, 1)
