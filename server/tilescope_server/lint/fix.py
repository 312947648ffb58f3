"""Applies the sure edits that findings carry."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tilescope_trace.model import Finding, Fix


@dataclass(frozen=True)
class Fixed:
    """A text with edits applied; ``done`` are the findings whose fix is in it. Fixes that overlap one before them
    wait for the next round."""

    text: str
    done: tuple[Finding, ...]


def fixed(text: str, findings: Iterable[Finding]) -> Fixed:
    """Apply the first fix of each finding that has one, from the top, none over another."""
    taken, done = _taken(text, findings)
    for start, end, new in sorted(taken, reverse=True):
        text = text[:start] + new + text[end:]
    return Fixed(text, tuple(done))


def chosen(text: str, findings: Iterable[Finding]) -> tuple[Fix, ...]:
    """The fixes that `fixed` applies, each once."""
    _, done = _taken(text, findings)
    return tuple({str(one.fixes[0].edits): one.fixes[0] for one in done}.values())


def _taken(text: str, findings: Iterable[Finding]) -> tuple[list[tuple[int, int, str]], list[Finding]]:
    """Edits by offset that do not overlap, and the findings whose fixes they are."""
    lines = lines_of(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    taken: list[tuple[int, int, str]] = []
    done: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.line, one.column)):
        edits = _edits(finding.fixes[0], lines, starts) if finding.fixes else None
        if not edits or any(edit in taken for edit in edits):
            if edits and all(edit in taken for edit in edits):
                done.append(finding)  # the same fix, asked for by another specialization or target
            continue
        if any(_overlap(edit, other) for edit in edits for other in taken):
            continue
        taken += edits
        done.append(finding)
    return taken, done


def diff(before: str, after: str, name: str) -> Iterator[str]:
    """The unified diff of a fixed file, as ``patch`` reads it."""
    for line in difflib.unified_diff(lines_of(before), lines_of(after), f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def lines_of(text: str) -> list[str]:
    """Lines with their ends. Python's lines end at line feeds only, not at form feeds and the like."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _edits(fix: Fix, lines: list[str], starts: list[int]) -> list[tuple[int, int, str]] | None:
    """(start, end, new text) of each edit by offset; None where one does not lie in the text."""
    found = []
    for edit in fix.edits:
        start = _offset(edit, "", lines, starts)
        end = _offset(edit, "end_", lines, starts)
        if start is None or end is None or end < start:
            return None
        found.append((start, end, str(edit["text"])))
    return found


def _offset(edit: dict[str, Any], side: str, lines: list[str], starts: list[int]) -> int | None:
    line, column = int(edit[f"{side}line"]), int(edit[f"{side}column"])
    if line == len(lines) + 1 and column == 1:
        return starts[-1]
    if not 1 <= line <= len(lines) or not 1 <= column <= len(lines[line - 1]) + 1:
        return None
    return starts[line - 1] + column - 1


def _overlap(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one[:2] == other[:2] or (one[0] < other[1] and other[0] < one[1])
