"""The diff of one pass, ready to be shown or written: hunks of lines with what changed inside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from . import lines, words
from .normalise import without_numbers

LineKind = Literal["equal", "delete", "insert"]


@dataclass(frozen=True)
class DiffLine:
    """One line. ``before`` and ``after`` are its line numbers on the sides that have it; ``changed`` are (column, end
    column) of what changed in it, empty where the whole line is new or gone. 1-based, ends exclusive."""

    kind: LineKind
    before: int | None
    after: int | None
    text: str
    changed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class DiffHunk:
    """Changes close to each other with the lines around them. A side without lines starts at the line before it, as
    in unified diffs."""

    before_start: int
    before_lines: int
    after_start: int
    after_lines: int
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True)
class PassDiff:
    """What a pass did to its own input, in whole lines; no hunks for a failed pass."""

    insertions: int
    deletions: int
    hunks: tuple[DiffHunk, ...]


def diff_pass(
    recording: Recording,
    record: PassRecord,
    *,
    context: int = 3,
    with_words: bool = True,
    hide_renumbering: bool = False,
) -> PassDiff:
    """The diff of a pass against its own input. Raises RecordingError where a text is damaged."""
    if record.after is None or record.after == record.before:
        return PassDiff(0, 0, ())
    return diff_texts(
        lines.split(recording.text(record.before)),
        lines.split(recording.text(record.after)),
        context=context,
        with_words=with_words,
        hide_renumbering=hide_renumbering,
    )


def diff_texts(
    before: Sequence[str],
    after: Sequence[str],
    *,
    context: int = 3,
    with_words: bool = True,
    hide_renumbering: bool = False,
) -> PassDiff:
    """The diff of two texts, given as lines."""
    blocks = lines.diff(before, after, key=without_numbers if hide_renumbering else None)
    insertions, deletions = lines.count(blocks)
    hunks = tuple(_hunk(hunk, before, after, with_words) for hunk in lines.hunks(blocks, context))
    return PassDiff(insertions, deletions, hunks)


def _hunk(hunk: lines.Hunk, before: Sequence[str], after: Sequence[str], with_words: bool) -> DiffHunk:
    (before_start, before_lines), (after_start, after_lines) = hunk.before, hunk.after
    return DiffHunk(
        before_start + (1 if before_lines else 0),
        before_lines,
        after_start + (1 if after_lines else 0),
        after_lines,
        tuple(line for block in hunk.blocks for line in _block_lines(block, before, after, with_words)),
    )


def _block_lines(
    block: lines.Block, before: Sequence[str], after: Sequence[str], with_words: bool
) -> Iterator[DiffLine]:
    if block.kind == "equal":
        for step in range(block.before_end - block.before_start):
            i, j = block.before_start + step, block.after_start + step
            yield DiffLine("equal", i + 1, j + 1, after[j])
        return
    pairs = words.refine(block, before, after) if with_words else ()
    gone = {pair.before: pair.before_spans for pair in pairs}
    come = {pair.after: pair.after_spans for pair in pairs}
    for i in range(block.before_start, block.before_end):
        yield DiffLine("delete", i + 1, None, before[i], _columns(gone.get(i, ())))
    for j in range(block.after_start, block.after_end):
        yield DiffLine("insert", None, j + 1, after[j], _columns(come.get(j, ())))


def _columns(spans: Sequence[words.Span]) -> tuple[tuple[int, int], ...]:
    return tuple((start + 1, end + 1) for start, end in spans)
