"""What the page needs of a diff: blocks and changed words as plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilescope_passdiff import lines, words
from tilescope_passdiff.moves import moves
from tilescope_passdiff.normalise import without_numbers

from .pool import utf16

Changes = dict[str, Any]
"""``blocks``: start and end before, start and end after (0-based, ends exclusive) of each block that is not equal,
one after the other; ``words``: [line before, line after, spans before, spans after] of each pair of lines that
resemble each other, spans as starts and ends in UTF-16 code units; ``moved``: line before, line after and number of
lines of each block that stands elsewhere or was only indented; ``count``: inserted and deleted lines."""


def changes(before: Sequence[str], after: Sequence[str]) -> tuple[Changes, Changes | None]:
    """The diff, and the one that hides renumbering where that is another."""
    full = _changes(before, after, None)
    plain = _changes(before, after, without_numbers)
    return full, plain if plain["blocks"] != full["blocks"] else None


def _changes(before: Sequence[str], after: Sequence[str], key: Callable[[str], str] | None) -> Changes:
    blocks = [block for block in lines.diff(before, after, key) if block.kind != "equal"]
    moved = moves(blocks, before, after, key)
    goes = {move.before + step: move.after + step for move in moved for step in range(move.count)}
    comes = {new: old for old, new in goes.items()}
    # A line that moved is not half of another one that looks like it.
    pairs = [
        pair
        for block in blocks
        for pair in words.refine(block, before, after)
        if goes.get(pair.before, pair.after) == pair.after and comes.get(pair.after, pair.before) == pair.before
    ]
    return {
        "blocks": [
            at
            for block in blocks
            for at in (block.before_start, block.before_end, block.after_start, block.after_end)
        ],
        "words": [
            [
                pair.before,
                pair.after,
                _spans(before[pair.before], pair.before_spans),
                _spans(after[pair.after], pair.after_spans),
            ]
            for pair in pairs
        ],
        "moved": [at for move in moved for at in (move.before, move.after, move.count)],
        "count": lines.count(blocks),
    }


def _spans(line: str, spans: Sequence[words.Span]) -> list[int]:
    return [utf16(line, column) for span in spans for column in span]
