"""Word diff inside replaced lines: which line became which, and what changed in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from .lines import Block

TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|\s+|.", re.DOTALL)
"""A name, a number, a run of blanks, or one other character."""
DIGITS = re.compile(r"\d+")
ALIKE = 0.5
"""Similarity (0 to 1, of the tokens) from which two lines count as one line that changed."""
COMPARED_LIMIT = 4096
"""Most line pairs compared with each other in one stretch; longer stretches are paired by their skeletons only."""

Span = tuple[int, int]
"""Start and end in a line, 0-based code points, end exclusive."""


@dataclass(frozen=True)
class LinePair:
    """Line ``before`` became line ``after`` (0-based); the spans are what differs on each side."""

    before: int
    after: int
    before_spans: tuple[Span, ...]
    after_spans: tuple[Span, ...]


def refine(block: Block, before: Sequence[str], after: Sequence[str]) -> tuple[LinePair, ...]:
    """The line pairs of a replaced block, in order; lines that resemble none on the other side are in no pair."""
    if block.kind != "replace":
        return ()
    old = before[block.before_start : block.before_end]
    new = after[block.after_start : block.after_end]
    return tuple(
        LinePair(block.before_start + i, block.after_start + j, *changed_spans(old[i], new[j]))
        for i, j in pair_lines(old, new)
    )


def changed_spans(before: str, after: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans of each side whose tokens have no equal on the other; of a changed indentation, what was added."""
    old_indent, new_indent = _indent(before), _indent(after)
    old, new = TOKEN.findall(before[old_indent:]), TOKEN.findall(after[new_indent:])
    old_gone: list[Span] = []
    new_come: list[Span] = []
    for step in Indel.opcodes(old, new):
        if step.src_start < step.src_end and step.tag != "equal":
            old_gone.append((step.src_start, step.src_end))
        if step.dest_start < step.dest_end and step.tag != "equal":
            new_come.append((step.dest_start, step.dest_end))
    return (
        _extra(old_indent, new_indent) + _columns(old_gone, old, old_indent),
        _extra(new_indent, old_indent) + _columns(new_come, new, new_indent),
    )


def pair_lines(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Pairs (index before, index after) of lines that are alike, ascending on both sides."""
    pairs: list[tuple[int, int]] = []
    old_at = new_at = 0
    for old_end, new_end in [*_same_skeleton(before, after), (len(before), len(after))]:
        stretch = _most_alike(before[old_at:old_end], after[new_at:new_end])
        pairs += [(old_at + i, new_at + j) for i, j in stretch]
        if old_end < len(before):
            pairs.append((old_end, new_end))
        old_at, new_at = old_end + 1, new_end + 1
    return tuple(pairs)


def _same_skeleton(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that differ in numbers and indentation only, the commonest change: found at once, whatever the size."""
    old = [DIGITS.sub("0", line.strip()) for line in before]
    new = [DIGITS.sub("0", line.strip()) for line in after]
    return [
        (step.src_start + i, step.dest_start + i)
        for step in Indel.opcodes(old, new)
        if step.tag == "equal"
        for i in range(step.src_end - step.src_start)
        if before[step.src_start + i].strip()
    ]


def _most_alike(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The ascending pairs with the greatest sum of similarities (alignment by dynamic programming)."""
    rows, columns = len(before), len(after)
    if not 0 < rows * columns <= COMPARED_LIMIT:
        return []
    old = [TOKEN.findall(line.strip()) for line in before]
    new = [TOKEN.findall(line.strip()) for line in after]
    alike = [[Indel.normalized_similarity(a, b, score_cutoff=ALIKE) if a and b else 0.0 for b in new] for a in old]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _extra(indent: int, other: int) -> tuple[Span, ...]:
    return ((other, indent),) if indent > other else ()


def _columns(spans: Sequence[Span], tokens: Sequence[str], offset: int) -> tuple[Span, ...]:
    """Token spans as code point spans from ``offset`` on; those with only blanks between them become one."""
    starts = [offset]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    result: list[Span] = []
    last_token = 0
    for start, end in spans:
        between = "".join(tokens[last_token:start])
        if result and not between.strip():
            result[-1] = (result[-1][0], starts[end])
        else:
            result.append((starts[start], starts[end]))
        last_token = end
    return tuple(result)
