"""Walking syntax trees quickly and without recursion: text under the cursor may nest as deep as it likes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def calls(*roots: ast.AST) -> list[ast.Call]:
    """All calls in expressions or simple statements, in source order."""
    found: list[ast.Call] = []
    pending: list[ast.AST] = list(roots)
    while pending:
        node = pending.pop()
        if isinstance(node, _LEAVES):
            continue
        if isinstance(node, ast.Call):
            found.append(node)
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, ast.AST):
                pending.append(child)
            elif isinstance(child, list):
                pending.extend(item for item in child if isinstance(item, ast.AST))
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
            if not functions and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
        for block in reversed(_BLOCKS):
            inner = getattr(node, block, None)
            if isinstance(inner, list):
                pending.extend(reversed(inner))


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
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Try)):
        return []
    return [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr)]
