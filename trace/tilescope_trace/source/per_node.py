"""What is found out about a node of a syntax tree, kept with the node.

Trees of a text before and after an edit share the nodes of all statements but the edited ones (``reparse``), so what
depends on a node and its own lines alone holds until its statement is edited, and lives as long as the node does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

N = TypeVar("N", bound=ast.AST)
P = ParamSpec("P")
R = TypeVar("R")


def per_node(function: Callable[Concatenate[N, P], R]) -> Callable[Concatenate[N, P], R]:
    """``function``, called once for each node. Its other arguments must not matter but for what they tell of the
    node itself, such as the lines it is in."""
    key = f"_{function.__module__}.{function.__qualname__}"

    def once(node: N, /, *args: P.args, **kwargs: P.kwargs) -> R:
        kept = vars(node)
        if key not in kept:
            kept[key] = function(node, *args, **kwargs)
        found: R = kept[key]
        return found

    return once
