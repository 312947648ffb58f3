"""The nodes of a syntax tree by type, collected once for all who ask.

Rules look for a node of a kernel, and a file may hold many kernels: a walk over the whole tree for each question of
each kernel took most of the time that a long file's edit took.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

N = TypeVar("N", bound=ast.AST)


def nodes(tree: ast.AST | None, kind: type[N]) -> Sequence[N]:
    """The nodes whose type is exactly ``kind``, in the order of `ast.walk`; none without a tree. The tree must not be
    changed afterwards."""
    return _by_type(tree).get(kind, ()) if tree is not None else ()


@lru_cache(maxsize=4)
def _by_type(tree: ast.AST) -> dict[type[Any], list[Any]]:
    found: dict[type[Any], list[Any]] = defaultdict(list)
    for node in ast.walk(tree):
        found[type(node)].append(node)
    return dict(found)
