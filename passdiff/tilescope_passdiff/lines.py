"""Line diff of two texts: minimal, in few blocks, at natural boundaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, cast

from rapidfuzz.distance import Indel

from .slide import Change, slide

BlockKind = Literal["equal", "insert", "delete", "replace"]


class Block(NamedTuple):
    """Lines ``before[before_start:before_end]`` against ``after[after_start:after_end]``, 0-based, ends exclusive.

    A named tuple, because a large diff makes thousands and a frozen dataclass takes five times as long to make.
    """

    kind: BlockKind
    before_start: int
    before_end: int
    after_start: int
    after_end: int


@dataclass(frozen=True)
class Hunk:
    """Blocks close to each other, the first and the last cut down to the context around them."""

    blocks: tuple[Block, ...]

    @property
    def before(self) -> tuple[int, int]:
        """Start (0-based) and number of lines on the side before."""
        start = self.blocks[0].before_start
        return start, self.blocks[-1].before_end - start

    @property
    def after(self) -> tuple[int, int]:
        """Start (0-based) and number of lines on the side after."""
        start = self.blocks[0].after_start
        return start, self.blocks[-1].after_end - start


def split(text: str) -> list[str]:
    """The lines of ``text``, broken at newlines only; a last empty one does not count."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def diff(before: Sequence[str], after: Sequence[str], key: Callable[[str], str] | None = None) -> tuple[Block, ...]:
    """Blocks that cover both sides in order; equal and changed ones alternate.

    Lines are equal when they are, or when ``key`` makes them equal. The number of inserted and deleted lines is the
    smallest possible.
    """
    keys_before = before if key is None else [key(line) for line in before]
    keys_after = after if key is None else [key(line) for line in after]
    numbers = {line: number for number, line in enumerate(dict.fromkeys(chain(keys_before, keys_after)))}
    old = list(map(numbers.__getitem__, keys_before))
    new = list(map(numbers.__getitem__, keys_after))
    changes: list[Change] = []
    steps = cast("list[tuple[str, int, int, int, int]]", Indel.opcodes(old, new).as_list())
    for tag, old_start, old_end, new_start, new_end in steps:
        if tag == "equal":
            continue
        if changes and changes[-1][1] == old_start and changes[-1][3] == new_start:
            old_start, _, new_start, _ = changes.pop()
        changes.append((old_start, old_end, new_start, new_end))
    return _with_equals(slide(changes, old, new, before, after), len(old), len(new))


def hunks(blocks: Sequence[Block], context: int = 3) -> tuple[Hunk, ...]:
    """The changed blocks in groups, each with up to ``context`` equal lines around and all equal lines between."""
    groups: list[list[Block]] = []
    for position, block in enumerate(blocks):
        if block.kind != "equal":
            if not groups:
                groups.append(_head(blocks[position - 1], context) if position else [])
            groups[-1].append(block)
            continue
        length = block.before_end - block.before_start
        if not groups or (length <= 2 * context and position + 1 < len(blocks)):
            if groups:
                groups[-1].append(block)
            continue
        if context:
            groups[-1].append(_cut(block, 0, min(context, length)))
        if position + 1 < len(blocks):
            groups.append(_head(block, context))
    return tuple(Hunk(tuple(group)) for group in groups)


def count(blocks: Sequence[Block]) -> tuple[int, int]:
    """Numbers of inserted and of deleted lines."""
    changed = [block for block in blocks if block.kind != "equal"]
    return (
        sum(block.after_end - block.after_start for block in changed),
        sum(block.before_end - block.before_start for block in changed),
    )


def _with_equals(changes: Sequence[Change], old_size: int, new_size: int) -> tuple[Block, ...]:
    blocks: list[Block] = []
    old_at = new_at = 0
    for old_start, old_end, new_start, new_end in changes:
        if old_at < old_start:
            blocks.append(Block("equal", old_at, old_start, new_at, new_start))
        kind: BlockKind = "insert" if old_start == old_end else "delete" if new_start == new_end else "replace"
        blocks.append(Block(kind, old_start, old_end, new_start, new_end))
        old_at, new_at = old_end, new_end
    if old_at < old_size:
        blocks.append(Block("equal", old_at, old_size, new_at, new_size))
    return tuple(blocks)


def _head(block: Block, context: int) -> list[Block]:
    length = block.before_end - block.before_start
    kept = min(context, length)
    return [_cut(block, length - kept, length)] if kept else []


def _cut(block: Block, start: int, end: int) -> Block:
    return Block(
        block.kind,
        block.before_start + start,
        block.before_start + end,
        block.after_start + start,
        block.after_start + end,
    )
