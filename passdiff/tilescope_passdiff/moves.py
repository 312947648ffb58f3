"""Moved blocks: deleted lines that stand elsewhere on the other side, or in their place with another indentation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    old = _Side(
        before, [range(block.before_start, block.before_end) for block in blocks if block.kind != "equal"], key
    )
    new = _Side(after, [range(block.after_start, block.after_end) for block in blocks if block.kind != "equal"], key)
    places: dict[str, list[int]] = defaultdict(list)
    for j, text in new.texts.items():
        if text:
            places[text].append(j)
    taken: set[int] = set()
    found: list[Move] = []
    skip = -1
    for i, text in old.texts.items():
        if i < skip or text not in places or not any(map(str.isalnum, text)):
            continue
        runs = [(_run(i, j, old, new, taken), j) for j in _free(places[text], taken)]
        if not runs:
            continue
        # Of equally long runs the nearest: what moved least.
        count, j = max(runs, key=lambda run: (run[0], -abs(run[1] - i)))
        if not _is_enough(old.texts[at] for at in range(i, i + count)):
            continue
        indent = new.indents[j] - old.indents[i]
        found.append(Move(i, j, count, indent, in_place=bool(indent) and old.owners[i] == new.owners[j]))
        taken.update(range(j, j + count))
        skip = i + count
    return tuple(found)


class _Side:
    """The changed lines of one side by their number: what they are compared by, their indentation, and the number of
    the changed block that they are in."""

    def __init__(self, lines: Sequence[str], blocks: Sequence[range], key: Callable[[str], str] | None) -> None:
        self.texts: dict[int, str] = {}
        self.indents: dict[int, int] = {}
        self.owners: dict[int, int] = {}
        for number, block in enumerate(blocks):
            for at in block:
                line = lines[at]
                text = line.lstrip()
                self.indents[at] = len(line) - len(text)
                self.texts[at] = text.rstrip() if key is None else key(text.rstrip())
                self.owners[at] = number


def _free(places: Sequence[int], taken: set[int]) -> Iterator[int]:
    tried = 0
    for j in places:
        if j not in taken:
            yield j
            tried += 1
            if tried == CANDIDATES:
                return


def _run(i: int, j: int, old: _Side, new: _Side, taken: set[int]) -> int:
    """How many lines from ``i`` and ``j`` on are the same, shifted alike. Blank lines count as shifted in any way."""
    shift = new.indents[j] - old.indents[i]
    start = i
    while (text := old.texts.get(i)) is not None and text == new.texts.get(j) and j not in taken:
        if text and new.indents[j] - old.indents[i] != shift:
            break
        i, j = i + 1, j + 1
    return i - start


def _is_enough(texts: Iterable[str]) -> bool:
    seen = 0
    for text in texts:
        seen += sum(map(str.isalnum, text))
        if seen >= LEAST:
            return True
    return False
