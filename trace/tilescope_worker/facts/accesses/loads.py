"""Accesses inside expressions: loads with the conditions under which they happen, atomics, addresses taken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from tilescope_worker.facts import tileops
from tilescope_worker.facts.ir import as_int, op_name, operands
from tilescope_worker.wire.facts import AccessMode

from .raw import Around, Extracted, Raw
from .terms import UNKNOWN, Apply, Term, Variable, add, interval, variables
from .translate import term

_LEAVES = frozenset({"IntImm", "FloatImm", "StringImm", "Var", "SizeVar"})
_POINTERS = frozenset({"address_of", "access_ptr", "tvm_access_ptr"})
_OPAQUE = ("call_extern", "call_pure_extern", "ptx_", "tvm_")


class Notes:
    """Accesses of one PrimFunc under way. ``bound`` has the terms of variables, ``known`` the conditions that hold
    from here on: what the author assumes, and an unknown one behind an early exit."""

    def __init__(self, func: Any) -> None:
        by_parameter = dict(func.buffer_map.items())
        self.found = Extracted(tuple(by_parameter[one] for one in func.params if one in by_parameter))
        self.bound: dict[Any, Term] = {}
        self.known: list[Term] = []
        self._scopes: dict[Any, str] = {}
        for one in func.params:
            if one not in by_parameter:
                self.bound[one] = Variable(str(one.name), "shape", -math.inf, math.inf)
        for buffer in self.found.parameters:
            self.declare(buffer)

    def term(self, expression: Any) -> Term:
        return term(expression, self.bound)

    def declare(self, buffer: Any) -> tuple[Term, ...]:
        """The terms of a buffer's shape; variables that first appear there are dynamic sizes."""
        known = self.found.shapes.get(buffer)
        if known is None:
            for extent in buffer.shape:
                for variable in _free(extent):
                    self.bound.setdefault(variable, Variable(str(variable.name), "shape", 1, math.inf))
            known = tuple(map(self.term, buffer.shape))
            if any(one.data.same_as(buffer.data) and shape != known for one, shape in self.found.shapes.items()):
                self.found.aliased.add(buffer.data)
            self.found.shapes[buffer] = known
        return known

    def _scope(self, buffer: Any) -> str:
        known = self._scopes.get(buffer)
        if known is None:
            known = self._scopes[buffer] = str(buffer.scope())
        return known

    def note(self, buffer: Any, mode: AccessMode, indices: Any, around: Around, **facts: Any) -> None:
        """An access to ``buffer`` from ``indices`` on. An index that is always negative counts from the end, as it
        does for the compiler (``LegalizeNegativeIndex``); ``counts`` may be given."""
        starts, counts = [], []
        for extent, index in zip(self.declare(buffer), indices, strict=True):
            count: Term = 1
            if type(index).__name__ == "Ramp":
                lanes = as_int(index.lanes)
                count = lanes if as_int(index.stride) == 1 and lanes is not None else UNKNOWN
                index = index.base
            start = self.term(index)
            starts.append(add(start, extent) if interval(start)[1] < 0 else start)
            counts.append(count)
        facts.setdefault("counts", tuple(counts))
        guards = (*around.guards, *self.known)
        order = len(self.found.accesses)
        self.found.accesses.append(
            Raw(
                buffer,
                self._scope(buffer),
                mode,
                around.where,
                order,
                tuple(starts),
                loops=around.loops,
                limits=around.limits,
                guards=guards,
                **facts,
            )
        )

    def scan(self, expression: Any, around: Around) -> list[Any]:
        """Note the accesses in ``expression``; its loads are returned too."""
        kind = type(expression).__name__
        if kind in _LEAVES:
            return []
        if kind == "BufferLoad":
            inner = self._scan_all(expression.indices, around)
            self.note(expression.buffer, "read", expression.indices, around)
            return [*inner, expression]
        if kind == "Call":
            return self._scan_call(expression, around)
        if kind == "Select":
            return self._scan_branches(expression.condition, expression.true_value, expression.false_value, around)
        if kind in ("And", "Or"):
            loads = self.scan(expression.a, around)
            first = self.term(expression.a)
            return loads + self.scan(expression.b, around.guarded(first if kind == "And" else Apply("not", (first,))))
        if kind == "Let":
            loads = self.scan(expression.value, around)
            self.bound[expression.var] = self.term(expression.value)
            return loads + self.scan(expression.body, around)
        return self._scan_all(operands(expression), around)

    def _scan_all(self, expressions: Iterable[Any], around: Around) -> list[Any]:
        return [load for one in expressions for load in self.scan(one, around)]

    def _scan_branches(self, condition: Any, yes: Any, no: Any, around: Around) -> list[Any]:
        loads = self.scan(condition, around)
        chosen = self.term(condition)
        loads += self.scan(yes, around.guarded(chosen))
        return loads + self.scan(no, around.guarded(Apply("not", (chosen,))))

    def _scan_call(self, call: Any, around: Around) -> list[Any]:
        name = op_name(call).rpartition(".")[2]
        arguments = list(call.args)
        if name == "if_then_else":
            return self._scan_branches(arguments[0], arguments[1], arguments[2], around)
        if name in _POINTERS:
            return self._scan_address(arguments, around)
        if tileops.atomic_name(call) and arguments:
            target = _pointed_at(arguments[0])
            if target is not None:
                self._scan_all(target.indices, around)
                self.note(target.buffer, "atomic", target.indices, around, operation="atomic")
                arguments = arguments[1:]
        loads = self._scan_all(arguments, around)
        for argument in arguments:
            if type(argument).__name__ == "Var" and str(argument.dtype) == "handle":
                self.found.escaped.add(argument)
        if not name or name.startswith(_OPAQUE):
            self.found.escaped.update(load.buffer.data for load in loads)
        return loads

    def _scan_address(self, arguments: list[Any], around: Around) -> list[Any]:
        """An address is no access; what is done with it is not known."""
        for argument in arguments:
            if type(argument).__name__ == "BufferLoad":
                self._scan_all(argument.indices, around)
                self.found.escaped.add(argument.buffer.data)
            elif type(argument).__name__ == "Var":
                self.found.escaped.add(argument)
        return []

    def uses(self, value: Any) -> frozenset[Variable]:
        """The variables that ``value`` depends on, also through indices of its loads."""
        kind = type(value).__name__
        if kind in ("Var", "SizeVar"):
            return variables(self.bound.get(value, UNKNOWN))
        inner: Iterable[Any] = value.indices if kind == "BufferLoad" else operands(value)
        return frozenset().union(*map(self.uses, inner))


def _pointed_at(argument: Any) -> Any | None:
    """The element whose address ``argument`` is."""
    if op_name(argument).rpartition(".")[2] in _POINTERS and len(argument.args):
        target = argument.args[0]
        return target if type(target).__name__ == "BufferLoad" else None
    return None


def _free(expression: Any) -> Iterator[Any]:
    if type(expression).__name__ in ("Var", "SizeVar"):
        yield expression
    for operand in operands(expression):
        yield from _free(operand)
