"""A kernel file without one of its statements, line for line."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Shortened:
    """``text`` with the statement on ``lines`` left out; ``names`` are those that it mentions."""

    text: str
    lines: range
    names: frozenset[str]


def without_statement(text: str, line: int) -> Shortened | None:
    """``text`` without the statement at ``line``, every other line unchanged and in its place; None where that
    statement cannot be left out: it binds a name, it has a body, or it shares a line."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    inside = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and _covers(s, line)]
    found = max(inside, key=lambda statement: statement.lineno, default=None)
    if found is None or not _binds_nothing(found):
        return None
    source = text.split("\n")
    last = found.end_lineno or found.lineno
    before = source[found.lineno - 1].encode()[: found.col_offset].decode(errors="replace")
    after = source[last - 1].encode()[found.end_col_offset or 0 :].decode(errors="replace").strip()
    if before.strip() or (after and not after.startswith("#")):
        return None
    lines = range(found.lineno, last + 1)
    for number in lines:
        source[number - 1] = ""
    source[found.lineno - 1] = f"{before}pass"
    names = frozenset(node.id for node in ast.walk(found) if isinstance(node, ast.Name))
    return Shortened("\n".join(source), lines, names)


def without_else(text: str, line: int) -> Shortened | None:
    """``text`` without the else of the loop at ``line``; None where there is none."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    loops = (node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While)) and node.lineno == line)
    loop = next((node for node in loops if node.orelse), None)
    if loop is None:
        return None
    first = (loop.body[-1].end_lineno or loop.body[-1].lineno) + 1
    last = loop.orelse[-1].end_lineno or loop.orelse[-1].lineno
    source = text.split("\n")
    source[first - 1 : last] = [""] * (last - first + 1)
    names = {node.id for part in loop.orelse for node in ast.walk(part) if isinstance(node, ast.Name)}
    return Shortened("\n".join(source), range(first, last + 1), frozenset(names))


def _covers(statement: ast.stmt, line: int) -> bool:
    return statement.lineno <= line <= (statement.end_lineno or statement.lineno)


def _binds_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return True
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Subscript) for target in statement.targets)
    return isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Subscript)
