"""Adds comments that suppress findings: how a project with old findings begins."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from tilescope_trace.model import Finding

from .suppress import suppressions

_PRESENT = re.compile(r"(#\s*tilescope:\s*ignore\s*\[)([^\]]*)(\])")


@dataclass(frozen=True)
class Added:
    """A text with comments; ``done`` findings are suppressed by them, the others have no line that can hold one."""

    text: str
    done: int


def with_ignores(text: str, findings: Iterable[Finding]) -> Added:
    """A comment at the first line of each finding that can have one; codes are added to a comment that is there.

    A line that ends within a string or goes on after a backslash can have none; neither can a file that is no Python.
    """
    lines = text.split("\n")
    free = _lines_with_room(text)
    wanted: dict[int, list[str]] = {}
    done = 0
    for finding in findings:
        line = next((one for one in range(finding.line, finding.end_line + 1) if one in free), None)
        if line is not None:
            done += 1
            wanted.setdefault(line, []).append(finding.code)
    standing = {one.line for one in suppressions(text) if one.covers is not None and one.codes}
    for number, codes in wanted.items():
        lines[number - 1] = _with_codes(lines[number - 1], codes, extend=number in standing)
    return Added("\n".join(lines), done)


def line_with_ignore(text: str, finding: Finding) -> tuple[int, str] | None:
    """The line (1-based) that can hold a comment for one finding, and what it is with it, room for a reason at its
    end; None where there is no such line."""
    added = with_ignores(text, [finding])
    if not added.done:
        return None
    before, after = text.split("\n"), added.text.split("\n")
    number = next((at for at, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new), None)
    if number is None:
        return None
    end = "\r" if before[number - 1].endswith("\r") else ""
    return number, f"{after[number - 1].rstrip()} {end}".removesuffix("\r")


def _with_codes(line: str, codes: list[str], *, extend: bool) -> str:
    if extend and (present := list(_PRESENT.finditer(line))):
        match = present[-1]
        both = dict.fromkeys([*(one.strip() for one in match[2].split(",") if one.strip()), *sorted(codes)])
        return f"{line[: match.start()]}{match[1]}{', '.join(both)}{match[3]}{line[match.end() :]}"
    return f"{line.rstrip()}  # tilescope: ignore[{', '.join(sorted(set(codes)))}]"


def _lines_with_room(text: str) -> frozenset[int]:
    """Lines whose end is one of code: neither within a string nor before a line that goes on."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return frozenset()
    return frozenset(token.start[0] for token in tokens if token.type in (tokenize.NEWLINE, tokenize.NL))
