"""`@tilelang.jit` objects: lazy (a factory of a PrimFunc) and eager (the kernel itself, sizes from ``T.const``)."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

_MISSING_CONSTANT = re.compile(r"Cannot find value for constexpr variable `(\w+)`")


def constants(jit: Any) -> tuple[str, ...] | None:
    """Names that an eager kernel declares with ``T.const``; None for a lazy one, which holds a ``prim_func``."""
    if jit.mode == "lazy":
        return None
    tree = _tree(jit)
    if tree is None:
        return ()
    inner = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)][1:]
    if any(_called(d) == "prim_func" for node in inner for d in node.decorator_list):
        return None
    if not any(_called(node) in ("const", "Kernel") for node in ast.walk(tree) if isinstance(node, ast.Call)):
        return None
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "const" and node.args:
            value = node.args[0]
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found += [name for name in re.split(r"[\s,]+", value.value) if name]
    return tuple(dict.fromkeys(found))


def elaborate_jit(jit: Any, known: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """(PrimFunc, ()) or (None, names of the ``T.const`` sizes that have no value)."""
    try:
        return jit.get_tir(**known), ()
    except ValueError as error:
        found = _MISSING_CONSTANT.search(str(error))
        if found is None:
            raise
        return None, tuple(n for n in _traced_constants(jit) or (found[1],) if n not in known)


def _traced_constants(jit: Any) -> tuple[str, ...]:
    """The constants of the kernel as traced last: those of branches not taken are not among them."""
    templates = list(getattr(jit.func, "p1_cache", {}).values())
    matcher = getattr(templates[-1], "matcher", None) if templates else None
    names = {variable.name for variable in matcher or ()}
    return tuple(name for name in constants(jit) or sorted(names) if name in names)


def _tree(jit: Any) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(jit.func.orig_func)))
    except (OSError, TypeError, SyntaxError, AttributeError):
        return None


def _called(node: ast.AST) -> str | None:
    target = node.func if isinstance(node, ast.Call) else node
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", None)
