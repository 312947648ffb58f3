"""Constant evaluation of expressions, without executing the user's code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from . import builtins_known
from .names import Names, language_member, split_names
from .operators import attempt, binary, comparison, unary
from .values import (
    UNKNOWN,
    Env,
    Function,
    Namespace,
    Outcome,
    Parser,
    Partial,
    Tensor,
    Unknown,
    Value,
    bind_target,
    is_plain,
)

_DEPTH = 60
"""Expressions nested deeper than this are not known: Python's own stack is finite."""
_LONGEST = 4096
"""Steps of a comprehension before it is not worth knowing."""


@dataclass(frozen=True)
class Arguments:
    """The evaluated arguments of a call; ``opaque`` when an unknown ``*args`` or ``**kwargs`` is among them."""

    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    opaque: bool = False


class Calls(Protocol):
    """What is to happen when a function of this file, or what such a call gave, is called."""

    def __call__(self, node: ast.Call, target: Function | Outcome, given: Arguments, /) -> Value: ...


class Evaluator:
    """Evaluates expressions of one file. ``on_call`` sees every call of a function of the file, however deep in an
    expression, and ``on_compile`` every compile of one or of what a call gave; ``consts`` are values of ``T.const``.
    One that is not ``thorough`` leaves out what can have no known value. ``contexts`` are the PassContexts around
    the statement that is evaluated."""

    def __init__(
        self,
        names: Names,
        on_call: Calls | None = None,
        on_compile: Callable[[ast.Call, Function | Outcome, Arguments], None] | None = None,
        consts: Mapping[str, Value] | None = None,
        *,
        thorough: bool = False,
    ) -> None:
        self.names = names
        self.consts = consts or {}
        self.thorough = thorough
        self.on_call = on_call
        self.on_compile = on_compile
        self.contexts: list[tuple[ast.Call, Arguments]] = []

    def value(self, node: ast.expr | None, env: Env, depth: int = 0) -> Value:
        """The value of an expression in a scope, UNKNOWN where it cannot be known."""
        if node is None or depth > _DEPTH:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node, env)
        method = _METHODS.get(type(node))
        if method is not None:
            return method(self, node, env, depth + 1)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, env, depth + 1)
        return UNKNOWN

    def arguments(self, node: ast.Call, env: Env, depth: int = 0) -> Arguments:
        """The arguments of a call, with known ``*`` and ``**`` spread out."""
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        opaque = False
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                spread = self.value(argument.value, env, depth)
                if isinstance(spread, (tuple, list)):
                    args.extend(spread)
                else:
                    opaque = True
            elif opaque:
                self.value(argument, env, depth)
            else:
                args.append(self.value(argument, env, depth))
        for keyword in node.keywords:
            value = self.value(keyword.value, env, depth)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
                kwargs.update(value)
            else:
                opaque = True
        return Arguments(tuple(args), kwargs, opaque)

    def _name(self, node: ast.Name, env: Env) -> Value:
        found = env.get(node.id)
        if found is UNKNOWN and (dotted := self.names.bound.get(node.id)):
            return builtins_known.imported(dotted)
        return found

    def _attribute(self, node: ast.Attribute, env: Env, depth: int) -> Value:
        dotted = self.names.dotted(node)
        if dotted is not None:
            return builtins_known.imported(dotted)
        base = self.value(node.value, env, depth)
        if isinstance(base, Namespace):
            return base.values.get(node.attr, UNKNOWN)
        if isinstance(base, Tensor) and node.attr == "shape":
            return base.shape
        return UNKNOWN

    def _sequence(self, node: ast.Tuple | ast.List, env: Env, depth: int) -> Value:
        items: list[Value] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                spread = self.value(element.value, env, depth)
                if not isinstance(spread, (tuple, list)):
                    return UNKNOWN
                items.extend(spread)
            else:
                items.append(self.value(element, env, depth))
        return tuple(items) if isinstance(node, ast.Tuple) else items

    def _dict(self, node: ast.Dict, env: Env, depth: int) -> Value:
        result: dict[Value, Value] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.value(value_node, env, depth)
            if key_node is None:
                if not isinstance(value, dict):
                    return UNKNOWN
                result.update(value)
                continue
            key = self.value(key_node, env, depth)
            if not isinstance(key, (str, int, float, bool)):
                return UNKNOWN
            result[key] = value
        return result

    def _unary(self, node: ast.UnaryOp, env: Env, depth: int) -> Value:
        operand = self.value(node.operand, env, depth)
        return unary(node.op, operand)

    def _binary(self, node: ast.BinOp, env: Env, depth: int) -> Value:
        return binary(node.op, self.value(node.left, env, depth), self.value(node.right, env, depth))

    def _boolean(self, node: ast.BoolOp, env: Env, depth: int) -> Value:
        stops = isinstance(node.op, ast.Or)
        result: Value = UNKNOWN
        for part in node.values:
            result = self.value(part, env, depth)
            if not is_plain(result):
                return UNKNOWN
            if bool(result) is stops:
                break
        return result

    def _comparison(self, node: ast.Compare, env: Env, depth: int) -> Value:
        left = self.value(node.left, env, depth)
        for symbol, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node, env, depth)
            held = comparison(symbol, left, right)
            if held is not True:
                return held
            left = right
        return True

    def _conditional(self, node: ast.IfExp, env: Env, depth: int) -> Value:
        test = self.value(node.test, env, depth)
        if not is_plain(test):
            self.value(node.body, env, depth)
            self.value(node.orelse, env, depth)
            return UNKNOWN
        return self.value(node.body if test else node.orelse, env, depth)

    def _subscript(self, node: ast.Subscript, env: Env, depth: int) -> Value:
        base = self.value(node.value, env, depth)
        if isinstance(node.slice, ast.Slice):
            parts = [node.slice.lower, node.slice.upper, node.slice.step]
            bounds = [None if part is None else self.value(part, env, depth) for part in parts]
            index: Value = slice(*bounds) if all(is_plain(bound) for bound in bounds) else UNKNOWN
        else:
            index = self.value(node.slice, env, depth)
        if index is UNKNOWN or not isinstance(base, (tuple, list, dict, str)):
            return UNKNOWN
        return attempt(operator.getitem, base, index)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, env: Env, depth: int) -> Value:
        items: list[Value] = []
        for step, scope in enumerate(self._iterations(node.generators, Env(parent=env), depth)):
            if scope is UNKNOWN or step > _LONGEST:
                return UNKNOWN
            if scope is not None:
                items.append(self.value(node.elt, scope, depth))
        return items

    def _iterations(
        self, generators: list[ast.comprehension], env: Env, depth: int
    ) -> Iterator[Env | Literal[Unknown.UNKNOWN] | None]:
        """Scopes of a comprehension's element: None for one that is filtered out, UNKNOWN where it is not known
        which there are."""
        if not generators:
            yield env
            return
        first, rest = generators[0], generators[1:]
        source = self.value(first.iter, env, depth)
        if not isinstance(source, (tuple, list, range)):
            yield UNKNOWN
            return
        for item in source:
            scope = Env(dict(env.values), env.parent)
            bind_target(first.target, item, scope)
            tests = [self.value(test, scope, depth) for test in first.ifs]
            if not all(is_plain(test) for test in tests):
                yield UNKNOWN
            elif all(tests):
                yield from self._iterations(rest, scope, depth)
            else:
                yield None

    def _call(self, node: ast.Call, env: Env, depth: int) -> Value:
        callee = node.func
        dotted = self.names.dotted(callee)
        imported = not isinstance(callee, ast.Name) or callee.id in self.names.bound
        if not self.thorough and imported and dotted is not None and not builtins_known.may_be_known(dotted):
            return UNKNOWN
        given = self.arguments(node, env, depth)
        if isinstance(callee, ast.Attribute) and dotted is None:
            return self._method(node, callee, given, env, depth)
        target = self.value(callee, env, depth)
        if isinstance(target, Partial):
            given = Arguments((*target.args, *given.args), {**target.kwargs, **given.kwargs}, given.opaque)
            target = target.function
        if isinstance(target, (Function, Outcome)):
            return self.on_call(node, target, given) if self.on_call else UNKNOWN
        if isinstance(callee, ast.Name) and target is UNKNOWN and callee.id not in self.names.bound:
            found = builtins_known.builtin(callee.id, given.args, given.kwargs)
            if found is not UNKNOWN:
                return found
        return UNKNOWN if dotted is None else self._library(node, dotted, given)

    def _library(self, node: ast.Call, dotted: str, given: Arguments) -> Value:
        first = given.args[0] if given.args else given.kwargs.get("func", UNKNOWN)
        last = dotted.rpartition(".")[2]
        if isinstance(first, (Function, Outcome)) and last in {"compile", "lower", "jit"} and self.on_compile:
            self.on_compile(node, first, given)
            return first
        if isinstance(first, Function):
            if dotted == "functools.partial":
                return Partial(first, given.args[1:], given.kwargs)
            if last in {"jit", "lru_cache", "cache", "autotune"}:
                return first
        if last == "const" and language_member(dotted) is not None and isinstance(first, str):
            found = tuple(self.consts.get(name, UNKNOWN) for name in split_names(first))
            return found if len(found) != 1 else found[0]
        if dotted == "argparse.ArgumentParser":
            return Parser()
        return builtins_known.library(dotted, given.args, given.kwargs)

    def _method(self, node: ast.Call, callee: ast.Attribute, given: Arguments, env: Env, depth: int) -> Value:
        base = self.value(callee.value, env, depth)
        if isinstance(base, Function) and callee.attr in {"compile", "get_tir", "get_kernel_source"}:
            return self.on_call(node, base, given) if self.on_call else UNKNOWN
        return builtins_known.method(base, callee.attr, given.args, given.kwargs)


_METHODS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Attribute: Evaluator._attribute,
    ast.Tuple: Evaluator._sequence,
    ast.List: Evaluator._sequence,
    ast.Dict: Evaluator._dict,
    ast.UnaryOp: Evaluator._unary,
    ast.BinOp: Evaluator._binary,
    ast.BoolOp: Evaluator._boolean,
    ast.Compare: Evaluator._comparison,
    ast.IfExp: Evaluator._conditional,
    ast.Subscript: Evaluator._subscript,
    ast.ListComp: Evaluator._comprehension,
    ast.GeneratorExp: Evaluator._comprehension,
    ast.Call: Evaluator._call,
}
