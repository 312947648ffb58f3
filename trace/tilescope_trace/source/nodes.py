"""The nodes of a syntax tree by type, collected once for all who ask.

Rules look for a node of a kernel, and a file may hold many kernels: a walk over the whole tree for each question of
each kernel took most of the time that a long file's edit took.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeVar

from .per_node import per_node

N = TypeVar("N", bound=ast.AST)


def nodes(tree: ast.Module | None, kind: type[N]) -> Sequence[N]:
    """The nodes whose type is exactly ``kind``, statement by statement, of each in the order of `ast.walk`; none
    without a tree. The tree must not be changed afterwards."""
    return _of_tree(tree).get(kind, ()) if tree is not None else ()


@per_node
def _of_tree(tree: ast.Module) -> dict[type[Any], list[Any]]:
    found: dict[type[Any], list[Any]] = defaultdict(list)
    for statement in tree.body:
        for kind, those in _of_statement(statement).items():
            found[kind] += those
    return dict(found)


@per_node
def _of_statement(statement: ast.stmt) -> dict[type[Any], list[Any]]:
    found: dict[type[Any], list[Any]] = defaultdict(list)
    for node in ast.walk(statement):
        found[type(node)].append(node)
    return dict(found)
