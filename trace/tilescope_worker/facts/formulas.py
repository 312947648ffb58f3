"""Index expressions of the compiler as Python text.

The text uses integers, the given names, ``+ - * // % & | ^ << >>``, ``min``, ``max``, comparisons and ``a if c else
b`` only; ``//`` and ``%`` round down, as the compiler's floor division does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ir import as_int, op_name

_BINARY = {
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "FloorDiv": "//",
    "FloorMod": "%",
    "LT": "<",
    "LE": "<=",
    "GT": ">",
    "GE": ">=",
    "EQ": "==",
    "NE": "!=",
    "And": "and",
    "Or": "or",
}
_FUNCTIONS = {"Min": "min", "Max": "max"}
_BITWISE = {
    "bitwise_xor": "^",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "shift_left": "<<",
    "shift_right": ">>",
}


class NotAFormulaError(Exception):
    """An expression reads memory, calls a function or has a variable without a name."""


def formula(expression: Any, names: Mapping[str, str]) -> str:
    """``expression`` as Python text, its variables renamed by ``names`` (from the compiler's names).

    Raises NotAFormulaError for what the text cannot say.
    """
    number = as_int(expression)
    if number is not None:
        return str(number)
    kind = type(expression).__name__
    if kind == "Var":
        name = names.get(str(expression.name))
        if name is None:
            raise NotAFormulaError(f"variable {expression.name}")
        return name
    if kind in _BINARY:
        return f"({formula(expression.a, names)} {_BINARY[kind]} {formula(expression.b, names)})"
    if kind in _FUNCTIONS:
        return f"{_FUNCTIONS[kind]}({formula(expression.a, names)}, {formula(expression.b, names)})"
    if kind == "Cast":
        return formula(expression.value, names)
    if kind == "Select":
        parts = (expression.true_value, expression.condition, expression.false_value)
        yes, condition, no = (formula(part, names) for part in parts)
        return f"({yes} if {condition} else {no})"
    operator = _BITWISE.get(op_name(expression).rpartition(".")[2]) if kind == "Call" else None
    if operator is None:
        raise NotAFormulaError(f"{kind} {op_name(expression)}".strip())
    left, right = (formula(argument, names) for argument in expression.args)
    return f"({left} {operator} {right})"
