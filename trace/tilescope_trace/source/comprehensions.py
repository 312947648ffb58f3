"""Comprehensions, element by element."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from .values import UNKNOWN, Env, Unknown, Value, bind_target, is_plain

if TYPE_CHECKING:
    from .evaluate import Evaluator

_LONGEST = 4096
"""Steps of a comprehension before it is not worth knowing."""


def sequence(evaluator: Evaluator, node: ast.ListComp | ast.GeneratorExp, env: Env, depth: int) -> Value:
    """The elements of a list comprehension or a generator; UNKNOWN where it is not known which there are."""
    items: list[Value] = []
    for step, scope in enumerate(_iterations(evaluator, node.generators, Env(parent=env), depth)):
        if scope is UNKNOWN or step > _LONGEST:
            return UNKNOWN
        if scope is not None:
            items.append(evaluator.value(node.elt, scope, depth))
    return items


def mapping(evaluator: Evaluator, node: ast.DictComp, env: Env, depth: int) -> Value:
    """The same of a dict comprehension."""
    found: dict[Value, Value] = {}
    for step, scope in enumerate(_iterations(evaluator, node.generators, Env(parent=env), depth)):
        if scope is UNKNOWN or step > _LONGEST:
            return UNKNOWN
        if scope is not None:
            key = evaluator.value(node.key, scope, depth)
            if not isinstance(key, (str, int, float, bool)):
                return UNKNOWN
            found[key] = evaluator.value(node.value, scope, depth)
    return found


def _iterations(
    evaluator: Evaluator, generators: list[ast.comprehension], env: Env, depth: int
) -> Iterator[Env | Literal[Unknown.UNKNOWN] | None]:
    """Scopes of a comprehension's element: None for one that is filtered out, UNKNOWN where it is not known
    which there are."""
    if not generators:
        yield env
        return
    first, rest = generators[0], generators[1:]
    source = evaluator.value(first.iter, env, depth)
    if isinstance(source, dict):
        source = list(source)
    if not isinstance(source, (tuple, list, range)):
        yield UNKNOWN
        return
    for item in source:
        evaluator.left -= 1
        if evaluator.left < 0:
            yield UNKNOWN
            return
        scope = Env(dict(env.values), env.parent)
        bind_target(first.target, item, scope)
        tests = [evaluator.value(test, scope, depth) for test in first.ifs]
        if not all(is_plain(test) for test in tests):
            yield UNKNOWN
        elif all(tests):
            yield from _iterations(evaluator, rest, scope, depth)
        else:
            yield None
