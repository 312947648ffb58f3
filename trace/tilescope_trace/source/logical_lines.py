"""Text to logical lines without a parser, resynchronising where a bracket or a string is never closed."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<comment>\#.*)
      | (?P<string>(?:\b[bBrRuUfFtT]{1,2})?(?:'''|\"\"\"|'|\"))
      | (?P<open>[(\[{]) | (?P<close>[)\]}])""",
    re.VERBOSE,
)
_STATEMENT = re.compile(r"(?:def|class|with|while|return|import|from|try|assert|raise|del|pass|break|continue)\b|@\w")
_CLOSER = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class LogicalLine:
    """Physical lines ``start`` to ``end`` (0-based, exclusive) that make one logical line. ``indent`` is its column
    as Python counts it; ``code`` holds its lines without comments; ``open`` the brackets never closed, innermost
    last; ``cut`` the place (line, column) of a string that is never closed."""

    start: int
    end: int
    indent: int
    code: tuple[str, ...]
    open: str = ""
    cut: tuple[int, int] | None = None


def split(lines: list[str], first: int, last: int) -> list[LogicalLine]:
    """The logical lines of ``lines[first:last]``; blank and comment-only lines belong to none."""
    found: list[LogicalLine] = []
    number = first
    while number < last:
        text = lines[number].strip()
        if not text or text.startswith("#"):
            number += 1
            continue
        line = logical_line(lines, number, last)
        found.append(line)
        number = line.end
    return found


def indent_of(line: str) -> int:
    """The column of the first character, with tabs to multiples of eight, as Python's tokenizer counts."""
    column = 0
    for character in line:
        if character == " ":
            column += 1
        elif character == "\t":
            column = (column // 8 + 1) * 8
        elif character == "\f":
            column = 0
        else:
            break
    return column


def logical_line(lines: list[str], start: int, last: int) -> LogicalLine:
    """The logical line that begins at ``lines[start]``, which is neither blank nor a comment."""
    indent = indent_of(lines[start])
    code: list[str] = []
    brackets: list[str] = []
    number = start
    while number < last:
        line = lines[number]
        if brackets and number > start and _begins_statement(line, indent):
            return LogicalLine(start, number, indent, tuple(code), "".join(brackets))
        position, end_of_code = 0, len(line)
        while match := _TOKEN.search(line, position):
            position = match.end()
            if match["comment"]:
                end_of_code = match.start()
                break
            if match["open"]:
                brackets.append(match["open"])
            elif match["close"]:
                if brackets and _CLOSER[brackets[-1]] == match["close"]:
                    brackets.pop()
            else:
                closed = _string_end(lines, number, position, match["string"], last)
                if closed is None:
                    cut = (number, match.start())
                    return LogicalLine(start, number + 1, indent, (*code, line), "".join(brackets), cut)
                if closed[0] > number:
                    code.extend(lines[number : closed[0]])
                    number, position = closed
                    line = lines[number]
                    end_of_code = len(line)
                else:
                    position = closed[1]
        code.append(line[:end_of_code])
        number += 1
        if not brackets and not code[-1].rstrip().endswith("\\"):
            break
    return LogicalLine(start, number, indent, tuple(code), "".join(brackets))


def _begins_statement(line: str, indent: int) -> bool:
    text = line.strip()
    if not text or text[0] in "#)]}":
        return False
    return indent_of(line) <= indent or _STATEMENT.match(text) is not None


def _string_end(lines: list[str], number: int, position: int, opening: str, last: int) -> tuple[int, int] | None:
    """The place after the closing quotes of a string whose contents begin at ``position``."""
    quotes = opening.lstrip("bBrRuUfFtT")
    while number < last:
        line = lines[number]
        while position < len(line):
            if line[position] == "\\":
                position += 2
            elif line.startswith(quotes, position):
                return number, position + len(quotes)
            else:
                position += 1
        if len(quotes) == 1 and not line.endswith("\\"):
            return None
        number, position = number + 1, 0
    return None
