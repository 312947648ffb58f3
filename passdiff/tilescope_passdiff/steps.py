"""The diff of a step in a history: only of the lines that are about its subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tilescope_trace.history import Step, TextLines
from tilescope_trace.store.read import Recording

from . import lines, words
from .diff import DiffHunk, DiffLine
from .normalise import without_numbers

Piece = tuple[list[DiffLine], list[DiffLine]]
"""Deleted lines and the inserted ones that took their place."""


def step_lines(recording: Recording, step: Step) -> tuple[DiffLine, ...]:
    """The lines of `step_hunks`."""
    return tuple(line for hunk in step_hunks(recording, step) for line in hunk.lines)


def step_hunks(recording: Recording, step: Step) -> tuple[DiffHunk, ...]:
    """The deleted and inserted lines, with their numbers in the whole texts; a hunk is what stands together on both
    sides. Lines that only moved, were indented or renumbered are left out. Raises RecordingError where a text is
    damaged."""
    before, old = _chosen(recording, step.before)
    after, new = _chosen(recording, step.after)
    blocks = lines.diff(before, after, key=lambda line: without_numbers(line.strip()))
    pieces = chain.from_iterable(_pieces(block, before, after, old, new) for block in blocks if block.kind != "equal")
    return tuple(_hunk(*piece) for piece in _joined(pieces))


def _chosen(recording: Recording, chosen: TextLines | None) -> tuple[list[str], tuple[int, ...]]:
    if chosen is None:
        return [], ()
    text = lines.split(recording.text(chosen.text))
    numbers = tuple(line for line in chosen.lines if line <= len(text))
    return [text[line - 1] for line in numbers], numbers


def _pieces(
    block: lines.Block, before: Sequence[str], after: Sequence[str], old: Sequence[int], new: Sequence[int]
) -> Iterator[Piece]:
    """The block line by line, each deleted line with the one it became, where one resembles it."""

    def deleted(at: int, spans: Sequence[words.Span] = ()) -> DiffLine:
        return DiffLine("delete", old[at], None, before[at], tuple((a + 1, b + 1) for a, b in spans))

    def inserted(at: int, spans: Sequence[words.Span] = ()) -> DiffLine:
        return DiffLine("insert", None, new[at], after[at], tuple((a + 1, b + 1) for a, b in spans))

    i, j = block.before_start, block.after_start
    for pair in words.refine(block, before, after):
        yield from (([deleted(at)], []) for at in range(i, pair.before))
        yield from (([], [inserted(at)]) for at in range(j, pair.after))
        yield [deleted(pair.before, pair.before_spans)], [inserted(pair.after, pair.after_spans)]
        i, j = pair.before + 1, pair.after + 1
    yield from (([deleted(at)], []) for at in range(i, block.before_end))
    yield from (([], [inserted(at)]) for at in range(j, block.after_end))


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Pieces that follow each other on both sides become one."""
    deleted: list[DiffLine] = []
    inserted: list[DiffLine] = []
    for gone, come in pieces:
        if (deleted or inserted) and not (_follows(deleted, gone) and _follows(inserted, come)):
            yield deleted, inserted
            deleted, inserted = [], []
        deleted, inserted = deleted + gone, inserted + come
    if deleted or inserted:
        yield deleted, inserted


def _follows(lines_so_far: Sequence[DiffLine], more: Sequence[DiffLine]) -> bool:
    """Whether ``more`` goes on where the lines end; nothing follows anything, and anything nothing."""
    if not lines_so_far or not more:
        return True
    return _number(more[0]) == _number(lines_so_far[-1]) + 1


def _number(line: DiffLine) -> int:
    number = line.before if line.before is not None else line.after
    assert number is not None
    return number


def _hunk(deleted: Sequence[DiffLine], inserted: Sequence[DiffLine]) -> DiffHunk:
    return DiffHunk(
        _number(deleted[0]) if deleted else 0,
        len(deleted),
        _number(inserted[0]) if inserted else 0,
        len(inserted),
        (*deleted, *inserted),
    )
