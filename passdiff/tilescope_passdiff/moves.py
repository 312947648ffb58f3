"""Moved blocks: deleted lines that stand elsewhere on the other side, or in their place with another indentation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .lines import Block

LEAST = 20
"""Letters and digits that a moved block has at least: a lone ``else:`` is found everywhere."""
CANDIDATES = 16
"""Places tried for one line; of a line that is repeated more often the first ones count."""


@dataclass(frozen=True)
class Move:
    """Lines ``before`` to ``before + count`` of one side stand at ``after`` of the other (0-based). ``indent`` is by
    how many columns they were shifted; ``in_place`` is whether that is all, what is around them staying."""

    before: int
    after: int
    count: int
    indent: int
    in_place: bool


def moves(
    blocks: Sequence[Block],
    before: Sequence[str],
    after: Sequence[str],
    key: Callable[[str], str] | None = None,
) -> tuple[Move, ...]:
    """The moved blocks of a diff, by their place before: the longest first where several could be. All lines of one
    have the same shift; ``key`` makes lines equal, as in ``lines.diff``."""
    gone = [i for block in blocks if block.kind != "equal" for i in range(block.before_start, block.before_end)]
    come = [j for block in blocks if block.kind != "equal" for j in range(block.after_start, block.after_end)]
    plain = _plain if key is None else lambda line: key(_plain(line))
    old, new = {i: plain(before[i]) for i in gone}, {j: plain(after[j]) for j in come}
    places: dict[str, list[int]] = defaultdict(list)
    for j in come:
        if new[j]:
            places[new[j]].append(j)
    block_of = {j: number for number, block in enumerate(blocks) for j in range(block.after_start, block.after_end)}
    owner = {i: n for n, block in enumerate(blocks) for i in range(block.before_start, block.before_end)}
    taken: set[int] = set()
    found: list[Move] = []
    skip = -1
    for i in gone:
        if i < skip or not any(map(str.isalnum, old[i])):
            continue
        runs = [(_run(i, j, old, new, before, after, taken), j) for j in _free(places[old[i]], taken)]
        if not runs:
            continue
        # Of equally long runs the nearest: what moved least.
        count, j = max(runs, key=lambda run: (run[0], -abs(run[1] - i)))
        if sum(character.isalnum() for at in range(i, i + count) for character in old[at]) < LEAST:
            continue
        indent = _indent(after[j]) - _indent(before[i])
        found.append(Move(i, j, count, indent, in_place=bool(indent) and owner[i] == block_of[j]))
        taken.update(range(j, j + count))
        skip = i + count
    return tuple(found)


def _free(places: Sequence[int], taken: set[int]) -> Iterator[int]:
    tried = 0
    for j in places:
        if j not in taken:
            yield j
            tried += 1
            if tried == CANDIDATES:
                return


def _run(
    i: int,
    j: int,
    old: dict[int, str],
    new: dict[int, str],
    before: Sequence[str],
    after: Sequence[str],
    taken: set[int],
) -> int:
    """How many lines from ``i`` and ``j`` on are the same, shifted alike. Blank lines count as shifted in any way."""
    shift = _indent(after[j]) - _indent(before[i])
    count = 0
    while (
        i + count in old
        and j + count in new
        and j + count not in taken
        and old[i + count] == new[j + count]
        and (not old[i + count] or _indent(after[j + count]) - _indent(before[i + count]) == shift)
    ):
        count += 1
    return count


def _plain(line: str) -> str:
    return line.strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
