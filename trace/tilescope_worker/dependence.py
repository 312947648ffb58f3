"""Whether a statement of a kernel's source can depend on parameters: by the names it reads, and what these are
computed from. What cannot be followed counts as dependent."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from .candidates import Node

_OWNERS = frozenset({"self", "cls"})
"""What has fields that other functions set."""


def depends(nodes: Iterable[Node], lines: Collection[int], parameters: Collection[str]) -> bool:
    """Whether what is executed at ``lines`` of the functions ``nodes`` can depend on ``parameters`` of theirs: by the
    statements there and the conditions around them. True where no statement is found."""
    roots = tuple(nodes)
    read: set[str] = set()
    for root in roots:
        for node in ast.walk(root):
            if isinstance(node, ast.stmt) and any(node.lineno <= at <= (node.end_lineno or 0) for at in lines):
                read |= _read_by(node, lines)
    return not read or value_depends(roots, read, parameters)


def value_depends(nodes: Iterable[Node], names: Collection[str], parameters: Collection[str]) -> bool:
    """Whether what is computed from ``names`` in the functions ``nodes`` can depend on ``parameters`` of theirs."""
    computed = _computed(nodes)
    known = set(names)
    while more := {name for one in known for name in computed.get(one, ())} - known:
        known |= more
    return not known.isdisjoint({*parameters, *_OWNERS})


def _read_by(node: ast.stmt, lines: Collection[int]) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return set()
    if isinstance(node, (ast.If, ast.While)):
        return reads(node.test)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return set().union(*(reads(item.context_expr) for item in node.items)) if node.lineno in lines else set()
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return reads(node.iter) if node.lineno in lines else set()
    return reads(node)


def _computed(roots: Iterable[Node]) -> dict[str, set[str]]:
    """By name, the names that it is computed from."""
    computed: dict[str, set[str]] = {}
    for root in roots:
        for node in ast.walk(root):
            for name, sources in _bound(node):
                computed.setdefault(name, set()).update(sources)
    return computed


def _bound(node: ast.AST) -> Iterator[tuple[str, set[str]]]:
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        # An element of a list that is set changes the list.
        stored = {name for target in targets for name in _stored(target)}
        owners = {owner for target in targets if (owner := _owner(target))}
        yield from ((name, reads(node.value)) for name in stored | owners)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield from ((name, reads(node.iter)) for name in _stored(node.target))
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from ((name, reads(node.context_expr)) for name in _stored(node.optional_vars))
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name, reads(node)
    elif isinstance(node, ast.arg) and node.annotation is not None:
        yield node.arg, reads(node.annotation)
    elif isinstance(node, ast.Call) and (changed := _changed(node.func)):
        yield changed, set().union(*map(reads, [*node.args, *(one.value for one in node.keywords)]))


_CHANGING = frozenset({"append", "extend", "insert", "update", "setdefault", "add"})
"""Methods of containers that put something in."""


def _changed(func: ast.expr) -> str | None:
    """The name of the container that a call of ``func`` puts something in."""
    if isinstance(func, ast.Attribute) and func.attr in _CHANGING and isinstance(func.value, ast.Name):
        return func.value.id
    return None


def _owner(target: ast.expr) -> str | None:
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _stored(target: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def reads(node: ast.AST) -> set[str]:
    """The names that are read in ``node``."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
