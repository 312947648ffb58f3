"""Which names statements may change."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator

from .syntax import statements
from .values import UNKNOWN, Env, is_plain


def forget_changes(body: Iterable[ast.stmt], env: Env) -> None:
    """Nothing is known any more of what these statements may change."""
    for name, in_place in _changed(body):
        if not in_place or isinstance(env.get(name), (list, dict)):
            env.set(name, UNKNOWN)


def _changed(body: Iterable[ast.stmt]) -> Iterator[tuple[str, bool]]:
    """Names that statements assign, at any depth but not in inner functions, and those whose objects they may change
    in place."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                yield node.id, False
        elif isinstance(node, ast.Expr):
            if (name := changed_in_place(node)) is not None:
                yield name, True
        elif isinstance(node, (ast.stmt, ast.Tuple, ast.List, ast.Starred, ast.withitem)):
            pending.extend(
                child
                for child in ast.iter_child_nodes(node)
                if not (isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load))
            )
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            pending.extend(node.body)


@functools.lru_cache(maxsize=2048)
def _gathers(node: ast.For | ast.AsyncFor) -> tuple[bool, frozenset[str], frozenset[str]]:
    """Of a loop: whether it searches or yields; names whose objects it changes; names it computes from themselves."""
    leaves = False
    in_place: set[str] = set()
    accumulated: set[str] = set()
    for inner in statements(node.body, functions=False):
        if isinstance(inner, (ast.Return, ast.Break)):
            leaves = True
        elif isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            accumulated.add(inner.target.id)
        elif isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Subscript):
            base = inner.targets[0].value
            in_place |= {base.id} if isinstance(base, ast.Name) else set()
        elif isinstance(inner, ast.Expr):
            leaves = leaves or isinstance(inner.value, ast.Yield)
            in_place |= {name} if (name := changed_in_place(inner)) is not None else set()
    return leaves, frozenset(in_place), frozenset(accumulated)


def adds_up(node: ast.For | ast.AsyncFor, env: Env) -> bool:
    """Whether all passes of a loop have to be gone through to know what it leaves: a list, a count, a find."""
    leaves, in_place, accumulated = _gathers(node)
    return (
        leaves
        or any(isinstance(env.get(name), (list, dict)) for name in in_place)
        or any(is_plain(env.get(name)) for name in accumulated)
    )


def changed_in_place(node: ast.Expr) -> str | None:
    """``x`` for ``x.append(1)``: a method called for what it does may change its object."""
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return call.func.value.id
    return None


def forget(names: Iterable[str], env: Env) -> None:
    """Nothing is known of these names any more."""
    for name in names:
        env.set(name, UNKNOWN)
