"""Which statements use which barrier of an array of barriers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tvm
from tvm import tirx
from tvm.tirx.analysis import undefined_vars
from tvm.tirx.stmt_functor import substitute

from tilescope_worker.facts.ir import Expression, as_int, operands

from .tree import Node

_ROUNDS = 16
"""Iterations of a pipelined loop that are looked at: more than twice the stages of any pipeline."""


def barriers_of(node: Node) -> list[tuple[Any, Expression]]:
    """(data variable, index) of the barriers a statement names."""
    return list(_loads(node.stmt.value)) if node.kind == "Evaluate" else []


def users(node: Node, candidates: list[Node]) -> list[Node]:
    """The candidates that use the barrier which ``node`` initializes; all of its array where that is not known."""
    own = [(data, as_int(index)) for data, index in barriers_of(node)]
    of_array: list[Node] = []
    of_barrier: list[Node] = []
    for candidate in candidates:
        for data, index in barriers_of(candidate):
            for own_data, number in own:
                if not data.same_as(own_data):
                    continue
                of_array.append(candidate)
                if number is not None and number in _values(index):
                    of_barrier.append(candidate)
    return of_barrier or of_array


def _loads(expression: Expression) -> Iterator[tuple[Any, Expression]]:
    if type(expression).__name__ == "BufferLoad" and "barrier" in str(expression.buffer.scope()):
        yield expression.buffer.data, expression.indices[0]
    for operand in operands(expression):
        yield from _loads(operand)


def _values(index: Expression) -> set[int]:
    """The values of an index over the first iterations of the loops it depends on."""
    constant = as_int(index)
    if constant is not None:
        return {constant}
    analyzer = tvm.arith.Analyzer()
    free = list(undefined_vars(tirx.Evaluate(index), []))
    values = set()
    for number in range(_ROUNDS):
        value = substitute(index, {var: tirx.IntImm(str(var.dtype), number) for var in free})
        constant = as_int(analyzer.simplify(value))
        if constant is not None:
            values.add(constant)
    return values
