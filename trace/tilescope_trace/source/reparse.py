"""Syntax trees of texts that differ in few places from one parsed before: its other top-level statements are taken
over as they are, nodes and all, so that an edit costs what the statement it is in costs.

Statements below an edit move by lines. Their nodes keep the lines that they were parsed at, and the tree tells where
these are now. So what is kept with the nodes of a statement that was taken over still holds, too: see ``per_node``.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count
from operator import ne

from .per_node import per_node

_KEPT = 4
"""Trees to take statements from, of the texts parsed last."""
_COPY = "_copy"
"""Where a node keeps its copy at another place."""
_CLOSE = 2
"""At least one line in so many must be the same for a text to be taken for the same one with an edit."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The statements of a text, given as its lines, and by how many lines each has moved since it was parsed
    (``offsets``)."""

    lines: tuple[str, ...]
    body: list[ast.stmt]
    offsets: list[int]

    @cached_property
    def line(self) -> Callable[[int], int]:
        """Where a line of one of the nodes is in the text. No two statements have lines of the same number."""
        if not self.moves:
            return lambda line: line
        pairs = sorted(zip(map(_start, self.body), self.offsets, strict=True))
        firsts, offsets = [0, *(first for first, _ in pairs)], [0, *(offset for _, offset in pairs)]
        return lambda line: line + offsets[bisect_right(firsts, line) - 1]

    def start(self, at: int) -> int:
        """The line of the text at which a statement begins, its decorators included."""
        return _start(self.body[at]) + self.offsets[at]

    def end(self, at: int) -> int:
        """The last line of a statement."""
        return (self.body[at].end_lineno or 0) + self.offsets[at]

    @cached_property
    def moves(self) -> bool:
        """Whether nodes are at other lines than they say."""
        return any(self.offsets)


@dataclass(frozen=True, eq=False)
class Known:
    """A text that has been parsed: what tells whether a line is the same, and its tree."""

    keys: tuple[str, ...]
    tree: Tree


class Parser:
    """Parses texts, given as their lines, by ``parse``, which takes a whole text and may raise what `ast.parse` does.
    Trees share nodes: they must not be changed."""

    def __init__(self, parse: Callable[[str], ast.Module]) -> None:
        self._parse = parse
        self._known: deque[Known] = deque(maxlen=_KEPT)

    def __call__(self, lines: Sequence[str], written: Sequence[str] | None = None) -> Tree:
        """The tree that ``parse`` would give for the whole, but for where its lines are. Raises what it raises for
        the whole. ``written`` are the lines that ``lines`` take the place of: columns are theirs, so that a statement
        is the same only where both are."""
        now = keys = tuple(lines)
        if written is not None:
            keys = tuple(one if one == its else f"{one}\0{its}" for one, its in zip(lines, written, strict=True))
        near = max(((_same(known.keys, keys), known) for known in list(self._known)), default=None, key=_closeness)
        tree = None
        if near is not None and _closeness(near) * _CLOSE >= len(now):
            (head, tail), known = near
            tree = self._edited(known, now, head, tail)
        if tree is None:
            body = self._parse("\n".join(now)).body
            tree = Tree(now, body, [0] * len(body))
        self._known.append(Known(keys, tree))
        return tree

    def _edited(self, known: Known, now: tuple[str, ...], head: int, tail: int) -> Tree | None:
        """The tree from that of a text whose first ``head`` and last ``tail`` lines are the same; None where the
        statements between do not stand by themselves."""
        body, offsets = known.tree.body, known.tree.offsets
        grown = len(now) - len(known.tree.lines)
        before, after = _before(known, head), _after(known, len(known.tree.lines) - tail + 1) if tail else len(body)
        first = known.tree.end(before - 1) if before else 0
        last = known.tree.start(after) + grown - 1 if after < len(body) else len(now)
        # Behind empty lines for those before it, so that places are right.
        text = "\n" * first + "\n".join(now[first:last]) + ("\n" if last < len(now) else "")
        try:
            between = self._parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        kept = [*body[:before], *body[after:]]
        around = [*offsets[:before], *(offset + grown for offset in offsets[after:])]
        aside = 0
        if any(around):
            # Away from the lines of what has moved.
            aside = max(statement.end_lineno or 0 for statement in kept)
            for statement in between:
                ast.increment_lineno(statement, aside)
        between_offsets = [-aside] * len(between)
        return Tree(
            now,
            [*body[:before], *between, *body[after:]],
            [*around[:before], *between_offsets, *around[before:]],
        )


def settled(
    tree: Tree, parse: Callable[[str], ast.Module], stopped: Callable[[], bool] = lambda: False
) -> list[ast.stmt]:
    """The statements of a tree at the lines of the text: copies of those that have moved, each made by itself, and
    once for a place. Those that were made until ``stopped`` are kept all the same."""
    whole: list[ast.stmt] = []
    at = 0
    while at < len(tree.body) and not stopped():
        first, last = at, at + 1
        # What shares a line is copied together.
        while last < len(tree.body) and tree.start(last) <= tree.end(last - 1):
            last += 1
        copies = [
            copy
            for number in range(first, last)
            if (copy := _copy(tree.body[number], tree.offsets[number])) is not None
        ]
        if len(copies) < last - first:
            start, end = tree.start(first), tree.end(last - 1)
            try:
                copies = list(parse("\n".join(tree.lines[start - 1 : end])).body)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                copies = []
            if len(copies) != last - first:
                return parse("\n".join(tree.lines)).body
            for number, copy in zip(range(first, last), copies, strict=True):
                ast.increment_lineno(copy, start - 1)
                vars(tree.body[number])[_COPY] = tree.offsets[number], copy
        whole += copies
        at = last
    return whole


def _copy(statement: ast.stmt, offset: int) -> ast.stmt | None:
    """The statement where it is now, None where no copy was made for that place."""
    if offset == 0:
        return statement
    kept: tuple[int, ast.stmt] | None = vars(statement).get(_COPY)
    return kept[1] if kept is not None and kept[0] == offset else None


def _same(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int]:
    """How many lines at the start and at the end are the same."""
    limit = min(len(old), len(new))
    head = next(compress(count(), map(ne, old, new)), limit)
    return head, min(next(compress(count(), map(ne, reversed(old), reversed(new))), limit), limit - head)


def _closeness(near: tuple[tuple[int, int], Known]) -> int:
    return sum(near[0])


def _before(known: Known, head: int) -> int:
    """How many statements end in the first ``head`` lines, each the last on its line and not continued."""
    size = len(known.tree.body)
    count = 0
    for at in range(size):
        end = known.tree.end(at)
        if end > head:
            break
        shared = at + 1 < size and known.tree.start(at + 1) <= end
        if not shared and not known.tree.lines[end - 1].endswith("\\"):
            count = at + 1
    return count


def _after(known: Known, first: int) -> int:
    """The index of the first of the statements that begin at line ``first`` or later, each the first on its line."""
    size = len(known.tree.body)
    index = size
    while index and known.tree.start(index - 1) >= first:
        index -= 1
    while index < size and not _leads(known, index):
        index += 1
    return index


def _leads(known: Known, at: int) -> bool:
    """Whether all of a statement is on the line that it is known to begin at, or behind: a decorator's sign may be on
    a line before it."""
    start = known.tree.start(at)
    if at and start <= known.tree.end(at - 1):
        return False
    statement = known.tree.body[at]
    return _start(statement) == statement.lineno or known.tree.lines[start - 1].startswith("@")


@per_node
def _start(statement: ast.stmt) -> int:
    """The line a statement begins at, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
