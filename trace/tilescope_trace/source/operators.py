"""Python's operators on values, where both sides are known and the result stays of a reasonable size."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from .values import UNKNOWN, Value, is_plain

_LARGEST = 1 << 128
_LONGEST = 4096

_BINARY: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Pow: operator.pow,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Value, Value], Value]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda left, right: left is right or left == right,
    ast.IsNot: lambda left, right: not (left is right or left == right),
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_UNARY: dict[type[ast.unaryop], Callable[[Value], Value]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}


def unary(symbol: ast.unaryop, operand: Value) -> Value:
    return attempt(_UNARY[type(symbol)], operand) if is_plain(operand) else UNKNOWN


def comparison(symbol: ast.cmpop, left: Value, right: Value) -> Value:
    return attempt(_COMPARE[type(symbol)], left, right) if is_plain(left) and is_plain(right) else UNKNOWN


def binary(symbol: ast.operator, left: Value, right: Value) -> Value:
    """``left symbol right`` where both are known and the result stays of a reasonable size."""
    function = _BINARY.get(type(symbol))
    if function is None or not (is_plain(left) and is_plain(right)):
        return UNKNOWN
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    if isinstance(symbol, (ast.Pow, ast.LShift)) and not (numbers and abs(left) <= 1 << 64 and abs(right) <= 64):
        return UNKNOWN
    if isinstance(symbol, ast.Mult) and not numbers:
        length = max((len(side) for side in (left, right) if isinstance(side, (str, tuple, list, dict))), default=0)
        times = min((side for side in (left, right) if isinstance(side, int)), default=_LONGEST)
        if length * max(times, 1) > _LONGEST:
            return UNKNOWN
    if isinstance(left, str) and isinstance(symbol, ast.Mod):
        return UNKNOWN
    result = attempt(function, left, right)
    if isinstance(result, int) and abs(result) > _LARGEST:
        return UNKNOWN
    return UNKNOWN if isinstance(result, (str, tuple, list)) and len(result) > _LONGEST else result


def attempt(function: Callable[..., Value], *values: Value) -> Value:
    """The result of a function, UNKNOWN where it raises what arithmetic and look-ups raise."""
    try:
        return function(*values)
    except (ArithmeticError, TypeError, ValueError, LookupError):
        return UNKNOWN
