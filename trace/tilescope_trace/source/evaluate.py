"""Constant evaluation of expressions, without executing the user's code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from tilescope_worker.models import Model

from . import builtins_known, comprehensions, device_known, invoke, objects, tensors_known
from .call_arguments import Arguments, Called, Compiled
from .names import Names
from .operators import attempt, binary, comparison, unary
from .values import UNKNOWN, Env, Function, Tensor, Value, bind_target, is_plain

_DEPTH = 60
"""Expressions nested deeper than this are not known: Python's own stack is finite."""
_ELEMENTWISE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_LONGEST = 4096
MOST_STEPS = 12000
"""Steps of a comprehension, and of all of a file, before they are not worth knowing."""


class Evaluator:
    """Evaluates expressions of one file.

    ``on_call`` sees every call of a function or class of the workspace, however deep in an expression, and
    ``on_compile`` every compile of one or of what a call gave. ``consts`` are values of ``T.const``,
    ``module_member`` gives what a dotted name means in another module of the workspace, ``device`` is the one that
    questions are answered for. One that is not ``thorough`` leaves out what can have no known value. ``contexts``
    are the PassContexts around the statement that is evaluated, ``uncertain`` counts the branches around it that may
    not be taken, ``left`` the steps that comprehensions may still take, and ``names`` change while a function of
    another file runs."""

    def __init__(
        self,
        names: Names,
        on_call: Called | None = None,
        on_compile: Compiled | None = None,
        consts: Mapping[str, Value] | None = None,
        module_member: Callable[[Names, str], Value] | None = None,
        device: Model | None = None,
        *,
        thorough: bool = False,
    ) -> None:
        self.names = names
        self.consts = consts or {}
        self.thorough = thorough
        self.on_call = on_call
        self.on_compile = on_compile
        self.module_member = module_member
        self.device = device
        self.left = MOST_STEPS
        self.contexts: list[tuple[ast.Call, Arguments]] = []
        self.uncertain = 0

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

    def imported(self, dotted: str) -> Value:
        """What an imported name stands for."""
        found = self.module_member(self.names, dotted) if self.module_member is not None else UNKNOWN
        if (
            found is UNKNOWN
            and self.device is not None
            and (found := device_known.attribute(dotted, self.device)) is None
        ):
            return None
        return builtins_known.imported(dotted) if found is UNKNOWN else found

    def _name(self, node: ast.Name, env: Env) -> Value:
        found = env.get(node.id)
        if found is UNKNOWN and (dotted := self.names.bound.get(node.id)):
            return self.imported(dotted)
        if found is UNKNOWN and self.names.starred and self.module_member is not None:
            for module in self.names.starred:
                dotted = f"{module}{'' if module.endswith('.') else '.'}{node.id}"
                found = self.module_member(self.names, dotted) if found is UNKNOWN else found
        return found

    def _attribute(self, node: ast.Attribute, env: Env, depth: int) -> Value:
        dotted = self.names.dotted(node)
        if dotted is not None and (found := self.imported(dotted)) is not UNKNOWN:
            return found
        base = self.value(node.value, env, depth)
        if (function := objects.property_of(base, node.attr)) is not None:
            return self.on_call(node, function, Arguments((base,))) if self.on_call else UNKNOWN
        return objects.attribute(base, node.attr)

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
            if not (isinstance(key, (str, int, float, bool, tuple)) and is_plain(key)):
                return UNKNOWN
            result[key] = value
        return result

    def _unary(self, node: ast.UnaryOp, env: Env, depth: int) -> Value:
        operand = self.value(node.operand, env, depth)
        return operand if isinstance(operand, Tensor) else unary(node.op, operand)

    def _binary(self, node: ast.BinOp, env: Env, depth: int) -> Value:
        left, right = self.value(node.left, env, depth), self.value(node.right, env, depth)
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            combine = tensors_known.matmul if isinstance(node.op, ast.MatMult) else tensors_known.broadcast
            return combine(left, right)
        return binary(node.op, left, right)

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
            if isinstance(right_node, ast.Set):
                right = tuple(self.value(element, env, depth) for element in right_node.elts)
            else:
                right = self.value(right_node, env, depth)
            if (isinstance(left, Tensor) or isinstance(right, Tensor)) and isinstance(symbol, _ELEMENTWISE):
                return tensors_known.mask(left, right)
            held = comparison(symbol, left, right)
            if right is None and held is UNKNOWN and left is not UNKNOWN and isinstance(symbol, (ast.Is, ast.IsNot)):
                held = isinstance(symbol, ast.IsNot)
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
        index = self._index(node.slice, env, depth)
        if isinstance(base, Tensor):
            return tensors_known.index(base, index)
        if index is UNKNOWN or not isinstance(base, (tuple, list, dict, str)):
            return UNKNOWN
        return attempt(operator.getitem, base, index)

    def _index(self, node: ast.expr, env: Env, depth: int) -> Value:
        if isinstance(node, ast.Slice):
            parts = [node.lower, node.upper, node.step]
            bounds = [None if part is None else self.value(part, env, depth) for part in parts]
            return slice(*bounds) if all(is_plain(bound) for bound in bounds) else UNKNOWN
        if isinstance(node, ast.Tuple):
            return tuple(self._index(part, env, depth) for part in node.elts)
        return self.value(node, env, depth)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, env: Env, depth: int) -> Value:
        return comprehensions.sequence(self, node, env, depth)

    def _dict_comprehension(self, node: ast.DictComp, env: Env, depth: int) -> Value:
        return comprehensions.mapping(self, node, env, depth)

    def _lambda(self, node: ast.Lambda, env: Env, _depth: int) -> Value:
        return Function(node, env, names=self.names)

    def _text(self, node: ast.JoinedStr, env: Env, depth: int) -> Value:
        """An f-string whose parts are plain and not formatted in a way of their own."""
        parts: list[str] = []
        for part in node.values:
            value = self.value(part.value if isinstance(part, ast.FormattedValue) else part, env, depth)
            simple = not isinstance(part, ast.FormattedValue) or (part.conversion == -1 and part.format_spec is None)
            if not simple or not isinstance(value, (str, int)):
                return UNKNOWN
            parts.append(str(value))
        text = "".join(parts)
        return text if len(text) <= _LONGEST else UNKNOWN

    def _named(self, node: ast.NamedExpr, env: Env, depth: int) -> Value:
        value = self.value(node.value, env, depth)
        bind_target(node.target, value, env)
        return value

    def _call(self, node: ast.Call, env: Env, depth: int) -> Value:
        return invoke.call(self, node, env, depth)


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
    ast.DictComp: Evaluator._dict_comprehension,
    ast.Lambda: Evaluator._lambda,
    ast.JoinedStr: Evaluator._text,
    ast.NamedExpr: Evaluator._named,
    ast.Call: Evaluator._call,
}
