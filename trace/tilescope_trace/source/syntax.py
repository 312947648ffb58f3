"""Walking syntax trees quickly and without recursion: text under the cursor may nest as deep as it likes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_LEAVES: frozenset[type[ast.AST]] = frozenset(
    {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del}
    | {*ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()}
    | {*ast.unaryop.__subclasses__(), *ast.boolop.__subclasses__()}
)
_BLOCKS = ("cases", "handlers", "finalbody", "orelse", "body")
_BLOCKLESS: frozenset[type[ast.AST]] = frozenset(
    kind for kind in ast.stmt.__subclasses__() if not set(_BLOCKS) & set(kind._fields)
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def calls(*roots: ast.AST) -> list[ast.Call]:
    """All calls in expressions, in the order their names stand in the source."""
    found: list[ast.Call] = []
    pending: list[ast.AST] = list(roots)
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in _LEAVES:
            continue
        if kind is ast.Call:
            found.append(node)  # type: ignore[arg-type]
        for field in kind._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                pending += [item for item in child if isinstance(item, ast.AST)]
            elif isinstance(child, ast.AST):
                pending.append(child)
    if len(found) > 1:
        found.sort(key=lambda call: (call.func.end_lineno or 0, call.func.end_col_offset or 0))
    return found


def statements(body: Sequence[ast.stmt], *, functions: bool = True) -> Iterator[ast.stmt]:
    """Statements at any depth, in source order; without those of inner functions and classes unless ``functions``."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            yield node
            if type(node) in _BLOCKLESS or (not functions and isinstance(node, _DEFINITIONS)):
                continue
        for block in _BLOCKS:
            inner = getattr(node, block, None)
            if inner and isinstance(inner, list):
                pending += reversed(inner)


def own_expressions(statement: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement itself: the header of a compound one, without the statements in it."""
    if isinstance(statement, (ast.If, ast.While)):
        return [statement.test]
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [statement.iter]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in statement.items]
    if isinstance(statement, ast.Match):
        return [statement.subject]
    if isinstance(statement, ast.Expr):
        return [statement.value]
    if isinstance(statement, (*_DEFINITIONS, ast.Try)):
        return []
    return [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr)]
