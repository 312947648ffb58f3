"""Comments that suppress findings: ``# tilescope: ignore[TS203] reason``."""

from __future__ import annotations

import functools
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilescope_trace.model import Finding
from tilescope_trace.rules.analysis import unused_suppression

_COMMENT = re.compile(
    r"#\s*tilescope:\s*(?P<kind>ignore-file|ignore)\b\s*(?:\[(?P<codes>[^\]]*)\])?\s*(?P<reason>.*)"
)
_CODE = re.compile(r"TS\d{1,3}")


@dataclass(frozen=True)
class Suppression:
    """One comment. ``covers`` is the line whose findings it suppresses (the comment's own, or the next line of code
    under a comment that stands alone), None for the whole file; ``codes`` empty means every code. Columns are 1-based
    code points, the end exclusive; ``wrong`` says what is not understood."""

    line: int
    column: int
    end_column: int
    covers: int | None
    codes: tuple[str, ...]
    reason: str
    wrong: str | None = None

    def suppresses(self, finding: Finding) -> bool:
        """Whether the comment is about this finding."""
        if self.wrong is not None or (self.codes and not any(finding.code.startswith(code) for code in self.codes)):
            return False
        return self.covers is None or finding.line <= self.covers <= max(finding.line, finding.end_line)


@functools.lru_cache(maxsize=16)
def suppressions(text: str) -> tuple[Suppression, ...]:
    """The suppressing comments of a file, in order. Text that Python cannot tokenise is read line by line. Kept: an
    editor asks at every stage of an analysis."""
    lines = text.split("\n")
    return tuple(
        _read(match, line, column, lines)
        for line, column, comment in _comments(text, lines)
        if (match := _COMMENT.match(comment))
    )


def apply(findings: Iterable[Finding], text: str, file: str, *, complete: bool = True) -> tuple[list[Finding], int]:
    """The findings that stay, with one for each comment that suppresses nothing (TS008), and how many were
    suppressed. Where ``findings`` are not ``complete`` nobody knows what a comment suppresses: of the comments that
    are idle, only those are told that are not understood."""
    comments = suppressions(text)
    kept: list[Finding] = []
    used: set[Suppression] = set()
    count = 0
    for finding in findings:
        about = [comment for comment in comments if comment.suppresses(finding)]
        used.update(about)
        count += bool(about)
        if not about:
            kept.append(finding)
    kept += [
        unused_suppression.finding(file, one, one.wrong)
        for one in comments
        if one not in used and (complete or one.wrong)
    ]
    return kept, count


def _comments(text: str, lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """(1-based line, 0-based column, text) of each comment that names tilescope."""
    if "tilescope:" not in text:
        return
    found: list[tuple[int, int, str]] = []
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    try:
        # Those before the text goes wrong are kept.
        found.extend((*token.start, token.string) for token in tokens if token.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError, ValueError):
        seen = {line for line, _, _ in found}
        rest = ((number, line.find("#"), line) for number, line in enumerate(lines, 1) if number not in seen)
        found += [(number, at, line[at:]) for number, at, line in rest if at >= 0 and not line[:at].strip()]
    yield from sorted(found)


def _read(match: re.Match[str], line: int, column: int, lines: list[str]) -> Suppression:
    codes = tuple(code.strip() for code in (match["codes"] or "").split(",") if code.strip())
    wrong = next((code for code in codes if not _CODE.fullmatch(code)), None)
    said = (
        f"{wrong!r} is no rule code"
        if wrong
        else "no code stands between the brackets"
        if match["codes"] == ""
        else None
    )
    alone = line <= len(lines) and not lines[line - 1][:column].strip()
    covers = None if match["kind"] == "ignore-file" else _next_code(lines, line) if alone else line
    end = column + len(match[0].rstrip()) + 1
    return Suppression(line, column + 1, end, covers, codes, match["reason"].strip(), said)


def _next_code(lines: list[str], line: int) -> int:
    for number in range(line, len(lines)):
        text = lines[number].strip()
        if text and not text.startswith("#"):
            return number + 1
    return line
