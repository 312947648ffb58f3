"""The diff of one pass, ready to be shown or written: hunks of lines with what changed inside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from . import lines, words
from .moves import Move, moves
from .normalise import Key, key_of

LineKind = Literal["equal", "delete", "insert"]


@dataclass(frozen=True)
class DiffLine:
    """One line. ``before`` and ``after`` are its line numbers on the sides that have it; ``changed`` are (column, end
    column) of what changed in it, empty where the whole line is new or gone. ``moved`` is its line number on the
    other side where it only moved or was indented. 1-based, ends exclusive."""

    kind: LineKind
    before: int | None
    after: int | None
    text: str
    changed: tuple[tuple[int, int], ...] = ()
    moved: int | None = None


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
class MovedBlock:
    """``lines`` lines that stand at ``after`` instead of ``before`` (1-based); ``indent`` is their shift in columns.
    ``in_place`` is whether they were only indented."""

    before: int
    after: int
    lines: int
    indent: int
    in_place: bool


@dataclass(frozen=True)
class PassDiff:
    """What a pass did to its own input, in whole lines; no hunks for a failed pass. Moved lines count as deleted and
    inserted."""

    insertions: int
    deletions: int
    hunks: tuple[DiffHunk, ...]
    moved: tuple[MovedBlock, ...] = ()


def diff_pass(
    recording: Recording,
    record: PassRecord,
    *,
    context: int = 3,
    with_words: bool = True,
    hide_renumbering: bool = False,
    hide_indentation: bool = False,
) -> PassDiff:
    """The diff of a pass against its own input. Raises RecordingError where a text is damaged."""
    if record.after is None or record.after == record.before:
        return PassDiff(0, 0, ())
    return diff_texts(
        lines.split(recording.text(record.before)),
        lines.split(recording.text(record.after)),
        context=context,
        with_words=with_words,
        key=key_of(hide_renumbering=hide_renumbering, hide_indentation=hide_indentation),
    )


def diff_texts(
    before: Sequence[str],
    after: Sequence[str],
    *,
    context: int = 3,
    with_words: bool = True,
    key: Key | None = None,
) -> PassDiff:
    """The diff of two texts, given as lines; lines are equal when ``key`` makes them equal."""
    blocks = lines.diff(before, after, key=key)
    insertions, deletions = lines.count(blocks)
    moved, gone_to, come_from = moved_blocks(blocks, before, after, key)
    draw = _Drawing(before, after, with_words, gone_to, come_from)
    hunks = tuple(_hunk(hunk, draw) for hunk in lines.hunks(blocks, context))
    return PassDiff(insertions, deletions, hunks, moved)


def moved_blocks(
    blocks: Sequence[lines.Block], before: Sequence[str], after: Sequence[str], key: Key | None
) -> tuple[tuple[MovedBlock, ...], dict[int, int], dict[int, int]]:
    """The moved blocks of a diff; and of each moved line where it went and where it came from, 0-based."""
    moved = moves(blocks, before, after, key)
    gone_to = {move.before + step: move.after + step for move in moved for step in range(move.count)}
    return tuple(_block(move) for move in moved), gone_to, {j: i for i, j in gone_to.items()}


@dataclass(frozen=True)
class _Drawing:
    """What the lines of all hunks are made from; ``gone_to`` and ``come_from`` pair moved lines, 0-based."""

    before: Sequence[str]
    after: Sequence[str]
    with_words: bool
    gone_to: dict[int, int]
    come_from: dict[int, int]


def _block(move: Move) -> MovedBlock:
    return MovedBlock(move.before + 1, move.after + 1, move.count, move.indent, move.in_place)


def _hunk(hunk: lines.Hunk, draw: _Drawing) -> DiffHunk:
    (before_start, before_lines), (after_start, after_lines) = hunk.before, hunk.after
    return DiffHunk(
        before_start + (1 if before_lines else 0),
        before_lines,
        after_start + (1 if after_lines else 0),
        after_lines,
        tuple(line for block in hunk.blocks for line in _block_lines(block, draw)),
    )


def _block_lines(block: lines.Block, draw: _Drawing) -> Iterator[DiffLine]:
    if block.kind == "equal":
        for step in range(block.before_end - block.before_start):
            i, j = block.before_start + step, block.after_start + step
            yield DiffLine("equal", i + 1, j + 1, draw.after[j])
        return
    pairs = words.refine(block, draw.before, draw.after) if draw.with_words else ()
    # A line that moved is not half of another one that looks like it.
    pairs = tuple(
        pair
        for pair in pairs
        if draw.gone_to.get(pair.before, pair.after) == pair.after
        and draw.come_from.get(pair.after, pair.before) == pair.before
    )
    gone = {pair.before: pair.before_spans for pair in pairs}
    come = {pair.after: pair.after_spans for pair in pairs}
    for i in range(block.before_start, block.before_end):
        yield DiffLine("delete", i + 1, None, draw.before[i], _columns(gone.get(i, ())), _number(draw.gone_to.get(i)))
    for j in range(block.after_start, block.after_end):
        yield DiffLine(
            "insert", None, j + 1, draw.after[j], _columns(come.get(j, ())), _number(draw.come_from.get(j))
        )


def _number(at: int | None) -> int | None:
    return None if at is None else at + 1


def _columns(spans: Sequence[words.Span]) -> tuple[tuple[int, int], ...]:
    return tuple((start + 1, end + 1) for start, end in spans)
