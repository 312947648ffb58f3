"""Index expressions of layouts, made callable.

They come from a worker or from a recording that anyone may have written, so nothing but integer arithmetic on the
given names is let through.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache

_MOST_CHARACTERS = 20_000
_LARGEST_SHIFT = 62
_OPERATORS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.BitXor,
    ast.BitAnd,
    ast.BitOr,
    ast.LShift,
    ast.RShift,
    ast.USub,
    ast.And,
    ast.Or,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.Load,
)
_STRUCTURE = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp)
_FUNCTIONS = {"min": min, "max": max}


class BadFormulaError(ValueError):
    """Text that is no integer expression over the given names."""


@lru_cache(maxsize=512)
def compiled(texts: tuple[str, ...], names: tuple[str, ...]) -> Callable[..., Sequence[int]]:
    """A function of ``names`` that gives the values of all ``texts``.

    Raises BadFormulaError for anything but integers, ``names``, integer operators, comparisons, ``min``, ``max``
    and conditional expressions.
    """
    for text in texts:
        _check(text, names)
    body = "".join(f"({text})," for text in texts)
    code = f"lambda {','.join(names)}: ({body})"
    made: Callable[..., Sequence[int]] = eval(code, {"__builtins__": {}, **_FUNCTIONS})
    return made


def _check(text: str, names: tuple[str, ...]) -> None:
    if len(text) > _MOST_CHARACTERS:
        raise BadFormulaError("the index expression is too long")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadFormulaError(f"no index expression: {text[:60]!r}") from error
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not _allowed(node, names, functions):
            raise BadFormulaError(f"no index expression: {text[:60]!r}")


def _allowed(node: ast.AST, names: tuple[str, ...], functions: set[int]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in (_FUNCTIONS if id(node) in functions else names)
    if isinstance(node, ast.Constant):
        return type(node.value) is int and abs(node.value) < 1 << _LARGEST_SHIFT
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and not node.keywords and len(node.args) > 1
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        return (
            isinstance(node.right, ast.Constant)
            and type(node.right.value) is int
            and (0 <= node.right.value <= _LARGEST_SHIFT)
        )
    return isinstance(node, (*_OPERATORS, *_STRUCTURE))
