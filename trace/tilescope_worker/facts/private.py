"""The arrays that each thread of the lowered kernel has for itself, and the registers they need at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .buffers import bits
from .ir import as_int, children, operands, prim_funcs, statements

_LOOPS = ("For", "While")
_INNERMOST = 2
"""Loops that a nest of element-wise loops has at most."""
_OWN_SCOPES = ("local", "local.fragment", "local.var")


@dataclass
class _Life:
    """From the first statement that touches an array to the last, by their numbers in program order."""

    registers: int
    touches: list[int] = field(default_factory=list)


def registers_at_once(device_mod: Any) -> int | None:
    """The most 32-bit registers per thread that private arrays hold at one time.

    An array counts from the statement that first touches it up to the one that last does, which may hand its
    registers on to what it writes; in a loop around other loops, up to its end where the array was there before (in
    innermost loops elements die one by one). The compiler behind may do with less. None where the device functions
    differ.
    """
    found = {_peak(func.body) for func in prim_funcs(device_mod)}
    return found.pop() if len(found) == 1 else None


def _peak(body: Any) -> int:
    lives = {buffer.data: _Life(_registers(elements, str(buffer.dtype))) for buffer, elements in _allocations(body)}
    if not lives:
        return 0
    loops: list[tuple[int, int]] = []
    count = _number(body, 0, lives, loops)
    change = [0] * (count + 2)
    for life in lives.values():
        if life.touches:
            first, last = _interval(life.touches, loops)
            change[first] += life.registers
            change[last] -= life.registers
    held = peak = 0
    for step in change:
        held += step
        peak = max(peak, held)
    return peak


def _interval(touches: list[int], loops: list[tuple[int, int]]) -> tuple[int, int]:
    first, last = touches[0], touches[-1]
    for begin, end in loops:  # inner ones first
        if first < begin and any(begin <= touch < end for touch in touches):
            last = max(last, end)
    return first, last


def _number(stmt: Any, at: int, lives: dict[Any, _Life], loops: list[tuple[int, int]]) -> int:
    """Number the statements without statements inside, from ``at``; the number after the last."""
    inner = children(stmt)
    begin = at
    if not inner or type(stmt).__name__ in ("BufferStore", "Evaluate", "Bind"):
        for data in _touched(stmt):
            life = lives.get(data)
            if life is not None and (not life.touches or life.touches[-1] != at):
                life.touches.append(at)
        return at + 1
    for child in inner:
        at = _number(child, at, lives, loops)
    if type(stmt).__name__ in _LOOPS and sum(type(one).__name__ in _LOOPS for one in statements(stmt)) > _INNERMOST:
        loops.append((begin, at))
    return at


def _touched(stmt: Any) -> Iterator[Any]:
    """Data variables in the value that a statement computes, and of the buffer it stores to."""
    if type(stmt).__name__ == "BufferStore":
        yield stmt.buffer.data
    value = getattr(stmt, "value", None)
    stack = [value] if value is not None else []
    while stack:
        expression = stack.pop()
        kind = type(expression).__name__
        if kind == "BufferLoad":
            yield expression.buffer.data
        elif kind == "Var":
            yield expression
        else:
            stack.extend(operands(expression))


def _allocations(body: Any) -> Iterator[tuple[Any, int]]:
    stack = [body]
    while stack:
        stmt = stack.pop()
        if type(stmt).__name__ == "AllocBuffer" and str(stmt.buffer.scope()) in _OWN_SCOPES:
            sizes = [as_int(size) for size in stmt.buffer.shape]
            if None not in sizes:
                yield stmt.buffer, math.prod(size for size in sizes if size is not None)
        stack.extend(children(stmt))


def _registers(elements: int, dtype: str) -> int:
    return -(-elements * bits(dtype) // 32)
