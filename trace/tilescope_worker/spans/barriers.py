"""Which statements use which barrier of an array of barriers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import tvm
from tvm import tirx
from tvm.tirx.analysis import undefined_vars
from tvm.tirx.stmt_functor import substitute

from tilescope_worker.facts.ir import Expression, as_int, operands

from .tree import Node

_ROUNDS = 16
"""Iterations of a pipelined loop that are looked at: more than twice the stages of any pipeline."""


class _Use:
    """A barrier that a statement names: the data variable of its array, and the index."""

    def __init__(self, data: Any, index: Expression) -> None:
        self.data = data
        self.index = index

    @cached_property
    def values(self) -> set[int]:
        return _values(self.index)


_USES: WeakKeyDictionary[Node, list[_Use]] = WeakKeyDictionary()
"""What is known of nodes already: each barrier that is set up asks all of them."""


def _uses(node: Node) -> list[_Use]:
    found = _USES.get(node)
    if found is None:
        named = _loads(node.stmt.value) if node.kind == "Evaluate" else ()
        found = _USES[node] = [_Use(data, index) for data, index in named]
    return found


def users(node: Node, candidates: list[Node]) -> list[Node]:
    """The candidates that use the barrier which ``node`` initializes; all of its array where that is not known."""
    own = [(use.data, as_int(use.index)) for use in _uses(node)]
    of_array: list[Node] = []
    of_barrier: list[Node] = []
    for candidate in candidates:
        for use in _uses(candidate):
            for own_data, number in own:
                if not use.data.same_as(own_data):
                    continue
                of_array.append(candidate)
                if number is not None and number in use.values:
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
