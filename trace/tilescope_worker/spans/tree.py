"""The statements of a function in program order, each with the place it has among the others."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tvm.tirx.analysis import undefined_vars

from tilescope_worker.facts.ir import Location, Statement, is_user_file, location
from tilescope_worker.statements import Seen, Statements

GROUPING = frozenset({"SeqStmt", "SBlockRealize"})
"""Statements that only hold others: nothing is printed for them, and they need no line."""

ALLOCATIONS = frozenset({"AllocBuffer", "DeclBuffer"})
_LEAVES = frozenset({"Evaluate", "BufferStore"})


def origin(stmt: Statement) -> Location | None:
    """The line a statement came from, if it is one that exists in a file of the user's."""
    return checked(location(stmt))


def checked(where: Location | None) -> Location | None:
    """``where`` if it is a line that exists in a file of the user's, else None."""
    if where is None or not is_user_file(where.file):
        return None
    return where if where.line <= len(linecache.getlines(where.file)) else None


@dataclass(eq=False)
class Node:
    """``index`` counts from 0 in program order; the statements inside have the indices from ``index + 1`` up to,
    but not including, ``end``. A statement that occurs several times in a function has several nodes."""

    stmt: Statement
    kind: str
    index: int
    parent: int
    where: Location | None
    end: int = 0


@dataclass(eq=False)
class Tree:
    """A function's statements."""

    nodes: list[Node] = field(default_factory=list)

    @cached_property
    def by_var(self) -> dict[Any, list[Node]]:
        """For each variable (also the data of a buffer) the leaf statements that use it, in order."""
        found: dict[Any, list[Node]] = {}
        for node in self.nodes:
            if node.end == node.index + 1 and node.kind not in ALLOCATIONS:
                for var in undefined_vars(node.stmt, []):
                    found.setdefault(var, []).append(node)
        return found

    def inside(self, node: Node) -> list[Node]:
        """The statements inside one, in order."""
        return self.nodes[node.index + 1 : node.end]

    def parents(self, node: Node) -> Iterator[Node]:
        """The statements around one, from the innermost outwards."""
        while node.parent >= 0:
            node = self.nodes[node.parent]
            yield node


def tree_of(root: Statement, seen: Statements | None = None) -> Tree:
    """The tree of a function's body. ``seen`` are the statements that were looked at before: reading a span, or what
    is inside of a statement, costs more than all the rest."""
    tree = Tree()
    seen = seen or Statements()
    _add(seen.of(root), -1, tree.nodes, seen)
    return tree


def _add(seen: Seen, parent: int, nodes: list[Node], every: Statements) -> None:
    index = len(nodes)
    where = seen.where
    if where is None:
        where = seen.where = origin(seen.statement)
    node = Node(seen.statement, seen.kind, index, parent, where, index + 1)
    nodes.append(node)
    if seen.kind not in _LEAVES:
        for child in reversed(seen.inner if seen.inner is not None else every.inner(seen)):
            _add(child, index, nodes, every)
        node.end = len(nodes)
