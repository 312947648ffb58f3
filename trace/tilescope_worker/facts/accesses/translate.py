"""The compiler's integer expressions as terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilescope_worker.facts.ir import op_name

from .terms import UNKNOWN, Apply, Term

_BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "FloorDiv": "div",
    "FloorMod": "mod",
    "Div": "tdiv",
    "Mod": "tmod",
    "Min": "min",
    "Max": "max",
    "LT": "lt",
    "LE": "le",
    "EQ": "eq",
    "NE": "ne",
    "And": "and",
    "Or": "or",
}
_SWAPPED = {"GT": "lt", "GE": "le"}
_CALLS = {
    "shift_left": "shl",
    "shift_right": "shr",
    "bitwise_and": "band",
    "bitwise_or": "bor",
    "bitwise_xor": "xor",
}
_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "min": min,
    "max": max,
}


def term(expression: Any, bound: Mapping[Any, Term]) -> Term:
    """``expression`` as a term; ``bound`` has the terms of variables. What is no integer arithmetic is unknown."""
    kind = type(expression).__name__
    if kind == "IntImm":
        return int(expression.value)
    if kind in ("Var", "SizeVar"):
        return bound.get(expression, UNKNOWN)
    if kind in _BINARY:
        return _apply(_BINARY[kind], term(expression.a, bound), term(expression.b, bound))
    if kind in _SWAPPED:
        return _apply(_SWAPPED[kind], term(expression.b, bound), term(expression.a, bound))
    if kind == "Not":
        return Apply("not", (term(expression.a, bound),))
    if kind == "Cast":
        return _cast(expression, bound)
    if kind == "BufferLoad":
        return Apply("load", (str(expression.buffer.name), *(term(index, bound) for index in expression.indices)))
    if kind == "Select":
        args = (expression.condition, expression.true_value, expression.false_value)
        return Apply("select", tuple(term(argument, bound) for argument in args))
    if kind == "Call":
        return _call(expression, bound)
    return UNKNOWN


def _apply(op: str, one: Term, other: Term) -> Term:
    if isinstance(one, int) and isinstance(other, int):
        if op in _FOLD:
            return _FOLD[op](one, other)
        if op in ("div", "mod") and other > 0:
            return one // other if op == "div" else one % other
    if op in ("add", "sub") and isinstance(other, int) and other == 0:
        return one
    if op == "add" and isinstance(one, int) and one == 0:
        return other
    if op in ("mul", "div") and isinstance(other, int) and other == 1:
        return one
    return Apply(op, (one, other))


def _cast(expression: Any, bound: Mapping[Any, Term]) -> Term:
    """A change of width keeps the value of any index that fits; from a float or to one there is no term."""
    names = (str(expression.dtype), str(expression.value.dtype))
    if all(name.startswith(("int", "uint", "bool")) and "x" not in name for name in names):
        return term(expression.value, bound)
    return UNKNOWN


def _call(expression: Any, bound: Mapping[Any, Term]) -> Term:
    name = op_name(expression).rpartition(".")[2]
    if name == "if_then_else":
        return Apply("select", tuple(term(argument, bound) for argument in expression.args))
    if name in _CALLS:
        one, other = (term(argument, bound) for argument in expression.args)
        return Apply(_CALLS[name], (one, other))
    if name in ("likely", "tvm_warp_uniform") and len(expression.args) == 1:
        return term(expression.args[0], bound)
    return UNKNOWN
