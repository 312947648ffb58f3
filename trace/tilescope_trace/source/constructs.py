"""Python in a kernel's body that is settled while the kernel is built, where its author meant its run.

Only what the source proves is told: see `symbolic`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .discover import discover
from .names import Names, is_macro, resolve
from .nodes import nodes
from .per_node import per_node
from .signature import FunctionNode
from .symbolic import Symbolic
from .syntax import own_expressions, statements
from .tolerant import Parsed, read

Kind = Literal["membership", "identity", "match", "rebinding", "try"]


@dataclass(frozen=True)
class Construct:
    """One such place: 1-based line and columns (end exclusive, of the first line), the source of the value that is
    decided on (of the variable for ``rebinding``), and the line of the loop or condition around a rebinding."""

    kind: Kind
    line: int
    column: int
    end_column: int
    subject: str
    around: int | None = None
    negated: bool = False
    in_loop: bool = False


def constructs(text: str, line: int) -> tuple[Construct, ...]:
    """Those of the kernel whose ``def`` is on ``line`` of ``text``, and of the macros of the file that it calls."""
    return _by_kernel(text).get(line, ())


@functools.lru_cache(maxsize=8)
def _by_kernel(text: str) -> dict[int, tuple[Construct, ...]]:
    parsed = read(text)
    if parsed.problems:
        return {}  # what stands under the cursor proves nothing
    names = resolve(parsed)
    meanings = names.meanings
    macros = {node.name: node for node in nodes(parsed.tree, ast.FunctionDef) if _is_macro(node, names)}
    found = {}
    for kernel in discover(parsed, names):
        called = _called(kernel.body, macros)
        every: list[Construct] = []
        for body in (kernel.body, *called):
            kept = _of_function(body)
            if meanings not in kept:
                kept[meanings] = tuple(_read(body, parsed, names))
            every += kept[meanings]
        placed = (_placed(one, parsed) for one in every)
        found[parsed.line(kernel.line)] = tuple(sorted(placed, key=lambda one: (one.line, one.column)))
    return found


def _placed(one: Construct, parsed: Parsed) -> Construct:
    """A construct at the lines of the text instead of those of the tree."""
    around = None if one.around is None else parsed.line(one.around)
    return replace(one, line=parsed.line(one.line), around=around) if parsed.moves else one


@per_node
def _of_function(_function: FunctionNode) -> dict[tuple[object, ...], tuple[Construct, ...]]:
    """Those of a function, by what the file's names mean."""
    return {}


@per_node
def _names_in(body: FunctionNode) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.id for node in ast.walk(body) if isinstance(node, ast.Name)))


def _is_macro(node: FunctionNode, names: Names) -> bool:
    heads = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(is_macro(names.dotted(head)) for head in heads)


def _called(body: FunctionNode, macros: dict[str, ast.FunctionDef]) -> list[ast.FunctionDef]:
    """The macros of the file that a body names, and those that these name."""
    found: dict[str, ast.FunctionDef] = {}
    pending: list[FunctionNode] = [body]
    while pending:
        for name in _names_in(pending.pop()):
            if name in macros and name not in found:
                found[name] = macros[name]
                pending.append(macros[name])
    return [macro for macro in found.values() if macro is not body]


def _read(function: FunctionNode, parsed: Parsed, names: Names) -> Iterator[Construct]:
    symbolic = Symbolic(function, names)
    for statement in statements(function.body, functions=False):
        if isinstance(statement, ast.Try) and _does_something(statement.body, names):
            line, column, _ = parsed.span(statement)
            yield Construct("try", line, column, column + len("try"), "try")
        if isinstance(statement, ast.Match) and symbolic.is_expression(statement.subject):
            yield _construct("match", statement.subject, statement.subject, parsed)
        for expression in own_expressions(statement):
            yield from _decided(expression, symbolic, parsed)
    yield from _rebindings(function, symbolic, parsed)


def _decided(expression: ast.expr, symbolic: Symbolic, parsed: Parsed) -> Iterator[Construct]:
    for node in ast.walk(expression):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not symbolic.is_expression(node.left):
            continue
        operator, right = node.ops[0], node.comparators[0]
        if isinstance(operator, (ast.In, ast.NotIn)) and _is_listed(right):
            yield _construct("membership", node, node.left, parsed, negated=isinstance(operator, ast.NotIn))
        elif (
            isinstance(operator, (ast.Is, ast.IsNot)) and isinstance(right, ast.Constant) and right.value is not None
        ):
            yield _construct("identity", node, node.left, parsed, negated=isinstance(operator, ast.IsNot))


def _is_listed(node: ast.expr) -> bool:
    """Whether a container is written out with numbers in it."""
    return isinstance(node, (ast.Tuple, ast.List, ast.Set)) and all(map(_is_number, node.elts))


def _rebindings(function: FunctionNode, symbolic: Symbolic, parsed: Parsed) -> Iterator[Construct]:
    """Variables that hold Python numbers, set under a condition or in a loop that the program runs through."""
    numbers = _numbers(function)
    told: set[tuple[int, str]] = set()
    for outer in reversed(list(statements(function.body, functions=False))):  # inner ones first
        loop = (isinstance(outer, ast.For) and symbolic.is_loop(outer)) or (
            isinstance(outer, ast.While) and symbolic.is_expression(outer.test)
        )
        if not loop and not (isinstance(outer, ast.If) and symbolic.is_expression(outer.test)):
            continue
        inside: list[ast.stmt] = [*getattr(outer, "body", ()), *(() if loop else getattr(outer, "orelse", ()))]
        names: set[str] = set()
        for statement in statements(inside, functions=False):
            name = _rebound(statement)
            if name not in numbers or name in names or (statement.lineno, name) in told:
                continue
            if loop and not _accumulates(statement, name):
                continue
            if _is_read_next(function, outer, name) or (loop and _is_read(inside, name, statement)):
                names.add(name)
                told.add((statement.lineno, name))
                yield Construct("rebinding", *parsed.span(statement), subject=name, around=outer.lineno, in_loop=loop)


def _numbers(function: FunctionNode) -> set[str]:
    """Local names that only ever hold numbers of Python's: literals, and what is computed of such names."""
    values: dict[str, list[ast.expr]] = {}
    stores: dict[str, int] = {}
    for node in ast.walk(ast.Module(function.body, [])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stores[node.id] = stores.get(node.id, 0) + 1
        elif isinstance(node, (ast.Assign, ast.AugAssign)) and (name := _rebound(node)) is not None:
            values.setdefault(name, []).append(node.value)
    known = {name for name, found in values.items() if len(found) == stores[name]}
    known -= {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    while True:
        sure = {name for name in known if all(_is_number(value, known) for value in values[name])}
        if sure == known:
            return known
        known = sure


def _is_number(node: ast.expr, names: set[str] | frozenset[str] = frozenset()) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (bool, int, float))
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand, names)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left, names) and _is_number(node.right, names)
    return isinstance(node, ast.Name) and node.id in names


def _rebound(statement: ast.stmt) -> str | None:
    """The only name that a statement assigns to."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    else:
        return None
    return target.id if isinstance(target, ast.Name) else None


def _accumulates(statement: ast.stmt, name: str) -> bool:
    """Whether the new value is made of the old one."""
    if isinstance(statement, ast.AugAssign):
        return True
    return isinstance(statement, ast.Assign) and _loads(statement.value, name)


def _is_read_next(function: FunctionNode, outer: ast.stmt, name: str) -> bool:
    """Whether the first use of ``name`` behind ``outer`` reads it."""
    end = outer.end_lineno or outer.lineno
    for statement in statements(function.body, functions=True):
        if statement.lineno <= end:
            continue
        if any(_loads(expression, name) for expression in own_expressions(statement)):
            return True
        if isinstance(statement, ast.AugAssign) and _rebound(statement) == name:
            return True
        if _rebound(statement) == name:
            return False
    return False


def _is_read(body: Sequence[ast.stmt], name: str, but: ast.stmt) -> bool:
    """Whether a loop's body reads ``name`` in a statement other than ``but``."""
    return any(
        _loads(expression, name)
        for statement in statements(body)
        if statement is not but
        for expression in own_expressions(statement)
    )


def _loads(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load) for one in ast.walk(node)
    )


def _does_something(body: Sequence[ast.stmt], names: Names) -> bool:
    """Whether statements have a part in the program: they call the tile language, or store into something."""
    for statement in statements(body):
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Subscript) for target in targets):
                return True
        for expression in own_expressions(statement):
            if any(isinstance(node, ast.Call) and names.tile(node.func) for node in ast.walk(expression)):
                return True
    return False


def _construct(kind: Kind, node: ast.expr, subject: ast.expr, parsed: Parsed, *, negated: bool = False) -> Construct:
    return Construct(kind, *parsed.span(node), subject=parsed.source(subject), negated=negated)
