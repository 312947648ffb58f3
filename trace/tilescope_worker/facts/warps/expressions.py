"""Index expressions of the compiler as Python expressions, to be evaluated for many lanes.

An expression is read once, across the foreign interface, and becomes text; the text is compiled once and evaluated as
often as needed. What depends on more than known variables has no text and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tvm

from tilescope_worker.facts.ir import Expression, op_name

_BINARY = {
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "FloorDiv": "//",
    "FloorMod": "%",
    "EQ": "==",
    "NE": "!=",
    "LT": "<",
    "LE": "<=",
    "GT": ">",
    "GE": ">=",
    "And": " and ",
    "Or": " or ",
}
_FUNCTIONS = {"Min": "min", "Max": "max", "Div": "truncated_div", "Mod": "truncated_mod"}
_CALLS = {
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "shift_left": "<<",
    "shift_right": ">>",
}
_TRANSPARENT = frozenset({"likely", "assume"})


class UnreadableError(Exception):
    """An expression that cannot be evaluated; its text says what it depends on."""


def truncated_div(a: int, b: int) -> int:
    """The quotient rounded towards zero, as C divides."""
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def truncated_mod(a: int, b: int) -> int:
    """The remainder that goes with `truncated_div`."""
    return a - b * truncated_div(a, b)


NAMESPACE: dict[str, Any] = {
    "truncated_div": truncated_div,
    "truncated_mod": truncated_mod,
    "min": min,
    "max": max,
    "__builtins__": {},
}
"""What the texts of expressions may call."""


class Reader:
    """Turns expressions into Python text. ``names`` maps each variable that is known to a Python name or to a text
    in parentheses; ``unknown`` is asked for a name for any other variable, and may raise UnreadableError.

    Texts of vector expressions are those of their first lane."""

    def __init__(self, names: Mapping[Any, str], unknown: Callable[[Any], str]) -> None:
        self._names = names
        self._unknown = unknown

    def text(self, expression: Expression) -> str:
        """Python text with the value of ``expression``. Raises UnreadableError."""
        kind = type(expression).__name__
        if kind == "IntImm":
            return str(int(expression.value))
        if kind == "Var":
            name = self._names.get(expression)
            return name if name is not None else self._unknown(expression)
        sign = _BINARY.get(kind)
        if sign is not None:
            return f"({self.text(expression.a)}{sign}{self.text(expression.b)})"
        if kind == "Cast":
            return self._cast(expression)
        if kind == "Ramp":
            return self.text(expression.base)
        if kind == "Broadcast":
            return self.text(expression.value)
        if kind == "Not":
            return f"(not {self.text(expression.a)})"
        if kind == "Select":
            return self._choice(expression.condition, expression.true_value, expression.false_value)
        if kind in _FUNCTIONS:
            return f"{_FUNCTIONS[kind]}({self.text(expression.a)},{self.text(expression.b)})"
        if kind == "Call":
            return self._call(expression)
        if kind == "BufferLoad":
            raise UnreadableError(f"depends on the data of {expression.buffer.name}")
        raise UnreadableError(f"depends on an expression of kind {kind}")

    def _cast(self, expression: Expression) -> str:
        if not str(expression.dtype).startswith(("int", "uint", "bool")):
            raise UnreadableError("depends on a floating-point value")
        return self.text(expression.value)

    def _choice(self, condition: Expression, then: Expression, otherwise: Expression) -> str:
        return f"({self.text(then)} if {self.text(condition)} else {self.text(otherwise)})"

    def _call(self, call: Expression) -> str:
        name = op_name(call).rpartition(".")[2]
        sign = _CALLS.get(name)
        if sign is not None:
            return f"({self.text(call.args[0])}{sign}{self.text(call.args[1])})"
        if name == "if_then_else":
            return self._choice(*call.args)
        if name in _TRANSPARENT:
            return self.text(call.args[0])
        raise UnreadableError(f"depends on the result of {name or 'a call'}")


def lanes_of(expression: Expression) -> int:
    """The number of elements of a vector expression; 1 for a scalar."""
    return int(tvm.DataType(str(expression.dtype)).lanes)


def stride_of(index: Expression) -> int | None:
    """The distance between neighbouring elements of a vector index; None where they are not known to be even. A
    guarded access adds its ramp to a broadcast offset and casts both."""
    if lanes_of(index) == 1:
        return 0
    kind = type(index).__name__
    if kind == "Ramp":
        return int(index.stride.value) if type(index.stride).__name__ == "IntImm" else None
    if kind == "Broadcast":
        return 0
    if kind == "Cast":
        return stride_of(index.value)
    if kind in ("Add", "Sub"):
        first, second = stride_of(index.a), stride_of(index.b)
        if first is None or second is None:
            return None
        return first + second if kind == "Add" else first - second
    if op_name(index).endswith("if_then_else"):
        first, second = stride_of(index.args[1]), stride_of(index.args[2])
        return first if first == second and lanes_of(index.args[0]) == 1 else None
    return None
