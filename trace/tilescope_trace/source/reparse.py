"""Syntax trees of texts that differ in few places from one parsed before: its other top-level statements are taken
over as they are, nodes and all, so that an edit costs what the statement it is in costs.

What is kept with the nodes of a statement that was taken over still holds, too: see ``per_node``.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_KEPT = 4
"""Trees to take statements from, of the texts parsed last."""
_CLOSE = 2
"""At least one line in so many must be the same for a text to be taken for the same one with an edit."""


@dataclass(frozen=True, eq=False)
class Known:
    """A text that has been parsed: its lines and its tree."""

    lines: tuple[str, ...]
    tree: ast.Module


class Parser:
    """Parses texts, given as their lines, by ``parse``, which takes a whole text and may raise what `ast.parse` does.
    Trees share nodes: they must not be changed."""

    def __init__(self, parse: Callable[[str], ast.Module]) -> None:
        self._parse = parse
        self._known: deque[Known] = deque(maxlen=_KEPT)

    def __call__(self, lines: Sequence[str]) -> ast.Module:
        """The tree that ``parse`` would give for the whole. Raises what it raises for the whole."""
        now = tuple(lines)
        near = max(((_same(known.lines, now), known) for known in list(self._known)), default=None, key=_closeness)
        tree = None
        if near is not None and _closeness(near) * _CLOSE >= len(now):
            (head, tail), known = near
            tree = self._edited(known, now, head, tail)
        if tree is None:
            tree = self._parse("\n".join(now))
        self._known.append(Known(now, tree))
        return tree

    def _edited(self, known: Known, now: tuple[str, ...], head: int, tail: int) -> ast.Module | None:
        """The tree from that of a text whose first ``head`` and last ``tail`` lines are the same; None where the
        statements between do not stand by themselves."""
        body = known.tree.body
        before, after = _before(known, head), _after(known, len(now) - tail + 1) if tail else len(body)
        first = (body[before - 1].end_lineno or 0) if before else 0
        last = _start(body[after]) - 1 if after < len(body) else len(now)
        # Behind empty lines for those before it, so that places are right.
        text = "\n" * first + "\n".join(now[first:last]) + ("\n" if last < len(now) else "")
        try:
            between = self._parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return ast.Module(body=[*body[:before], *between, *body[after:]], type_ignores=[])


def _same(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int]:
    """How many lines at the start and at the end are the same, at the same line numbers."""
    limit = min(len(old), len(new))
    head = next((number for number in range(limit) if old[number] != new[number]), limit)
    if len(old) != len(new):
        return head, 0
    return head, next(
        (number for number in range(limit - head) if old[-1 - number] != new[-1 - number]), limit - head
    )


def _closeness(near: tuple[tuple[int, int], Known]) -> int:
    return sum(near[0])


def _before(known: Known, head: int) -> int:
    """How many statements end in the first ``head`` lines, each the last on its line and not continued."""
    body = known.tree.body
    count = 0
    for number, statement in enumerate(body, 1):
        end = statement.end_lineno or 0
        if end > head:
            break
        shared = number < len(body) and _start(body[number]) <= end
        if not shared and not known.lines[end - 1].endswith("\\"):
            count = number
    return count


def _after(known: Known, first: int) -> int:
    """The index of the first of the statements that begin at line ``first`` or later, each the first on its line."""
    body = known.tree.body
    index = len(body)
    while index and _start(body[index - 1]) >= first:
        index -= 1
    while index < len(body) and not _leads(known, index):
        index += 1
    return index


def _leads(known: Known, index: int) -> bool:
    """Whether all of a statement is on the line that it is known to begin at, or behind: a decorator's sign may be on
    a line before it."""
    body = known.tree.body
    start = _start(body[index])
    if index and start <= (body[index - 1].end_lineno or 0):
        return False
    return start == body[index].lineno or known.lines[start - 1].startswith("@")


def _start(statement: ast.stmt) -> int:
    """The line a statement begins at, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
