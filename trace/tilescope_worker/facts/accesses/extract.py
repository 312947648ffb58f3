"""The accesses of a fresh PrimFunc in program order, with the loops and conditions around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tilescope_worker.facts import tileops
from tilescope_worker.facts.ir import (
    Location,
    as_int,
    children,
    is_region,
    is_user_file,
    location,
    op_name,
    operands,
    tile_op,
)
from tilescope_worker.wire.facts import AccessMode, OperationKind

from .terms import UNKNOWN, Apply, Term, Variable, VariableKind, add, conjuncts, interval, variables
from .translate import term

_LAUNCH_THREADS = "tl.launch_threads"
_LEAVES = frozenset({"thread_return", "break_loop", "continue_loop", "ret", "loop_break"})
_POINTERS = frozenset({"address_of", "access_ptr", "tvm_access_ptr"})
_OPERAND_READS = {"gemm": 2}


@dataclass(frozen=True, eq=False)
class Raw:
    """One access as written.

    ``starts`` is the first index of each axis, ``counts`` the number of elements from there. ``loops`` are the
    variables around it, outermost first, ``limits`` conditions that bound them where their loops' extents vary,
    ``guards`` the author's conditions. ``copies`` says that a tile operation moves the region, whose global side the
    compiler guards. ``uses`` are the variables that the stored value depends on; ``sums`` says that it is the element
    itself plus something.
    """

    buffer: Any
    mode: AccessMode
    where: Location | None
    order: int
    starts: tuple[Term, ...]
    counts: tuple[Term, ...]
    loops: tuple[Variable, ...]
    limits: tuple[Term, ...]
    guards: tuple[Term, ...]
    operation: OperationKind | None = None
    name: str = ""
    uses: frozenset[Variable] | None = None
    sums: bool = False
    stored: bool = False

    @property
    def conditions(self) -> tuple[Term, ...]:
        return (*self.limits, *self.guards)

    @property
    def scope(self) -> str:
        return str(self.buffer.scope())


@dataclass
class Extracted:
    """``escaped`` are the data variables whose address is taken, ``aliased`` those with several shapes, ``reducers``
    those of reducers; ``shapes`` has the terms of each buffer's extents; ``blocks`` are the variables of the grid."""

    accesses: list[Raw] = field(default_factory=list)
    escaped: set[Any] = field(default_factory=set)
    aliased: set[Any] = field(default_factory=set)
    reducers: set[Any] = field(default_factory=set)
    shapes: dict[Any, tuple[Term, ...]] = field(default_factory=dict)
    parameters: tuple[Any, ...] = ()
    blocks: tuple[Variable, ...] = ()


@dataclass(frozen=True)
class _Around:
    loops: tuple[Variable, ...] = ()
    limits: tuple[Term, ...] = ()
    guards: tuple[Term, ...] = ()
    where: Location | None = None


class _Reader:
    def __init__(self, func: Any) -> None:
        self.found = Extracted()
        self.bound: dict[Any, Term] = {}
        self.threads: tuple[float, ...] = ()
        self.known: list[Term] = []
        """Conditions that hold from here on: what the author assumes, and unknown ones behind an early exit."""
        by_parameter = dict(func.buffer_map.items())
        self.found.parameters = tuple(by_parameter[one] for one in func.params if one in by_parameter)
        for one in func.params:
            if one not in by_parameter:
                self._free(one)
        for buffer in self.found.parameters:
            self._declare(buffer)

    def _free(self, variable: Any) -> None:
        self.bound.setdefault(variable, Variable(str(variable.name), "shape", -math.inf, math.inf))

    def _declare(self, buffer: Any) -> tuple[Term, ...]:
        """The terms of a buffer's shape; variables that first appear there are dynamic sizes."""
        known = self.found.shapes.get(buffer)
        if known is None:
            for extent in buffer.shape:
                for variable in _free_variables(extent):
                    if variable not in self.bound:
                        self.bound[variable] = Variable(str(variable.name), "shape", 1, math.inf)
            known = tuple(term(extent, self.bound) for extent in buffer.shape)
            for other, shape in self.found.shapes.items():
                if other.data.same_as(buffer.data) and shape != known:
                    self.found.aliased.add(buffer.data)
            self.found.shapes[buffer] = known
        return known

    def read(self, stmt: Any, around: _Around) -> None:
        kind = type(stmt).__name__
        where = location(stmt)
        if where is not None and is_user_file(where.file):
            around = _Around(around.loops, around.limits, around.guards, where)
        handler = getattr(self, f"_read_{kind}", None)
        if handler is not None:
            handler(stmt, around)
            return
        for child in children(stmt):
            self.read(child, around)

    def _read_SBlock(self, stmt: Any, around: _Around) -> None:  # noqa: N802 - named after the node
        if _LAUNCH_THREADS in stmt.annotations:
            sizes = [as_int(size) for size in stmt.annotations[_LAUNCH_THREADS]]
            self.threads = tuple(math.inf if size is None else size for size in sizes)
            self._limit_threads()
        if "reducer_info" in stmt.annotations:
            self.found.reducers.update(stmt.annotations["reducer_info"])
        for buffer in stmt.alloc_buffers:
            self._declare(buffer)
        if stmt.init is not None:
            self.read(stmt.init, around)
        self.read(stmt.body, around)

    def _limit_threads(self) -> None:
        for key, value in list(self.bound.items()):
            if isinstance(value, Variable) and value.kind == "thread" and math.isinf(value.last):
                axis = "xyz".index(value.name[1])
                self.bound[key] = Variable(value.name, "thread", 0, self.threads[axis] - 1)

    def _read_SeqStmt(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        for child in stmt.seq:
            self.read(child, around)

    def _read_Bind(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        if op_name(stmt.value).endswith("launch_thread_idx"):
            axis = "xyz"[as_int(stmt.value.args[0]) or 0]
            last = self.threads["xyz".index(axis)] - 1 if self.threads else math.inf
            self.bound[stmt.var] = Variable(f"t{axis}", "thread", 0, last)
            return
        self._scan(stmt.value, around)
        self.bound[stmt.var] = term(stmt.value, self.bound)

    def _read_For(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        self._scan(stmt.extent, around)
        low, extent = term(stmt.min, self.bound), term(stmt.extent, self.bound)
        first, last = interval(low)[0], interval(add(low, extent))[1] - 1
        binding = stmt.thread_binding
        kind: VariableKind = "serial"
        if binding is not None:
            kind = "block" if str(binding.thread_tag).startswith("block") else "thread"
        elif int(stmt.kind) == 1:
            kind = "parallel"
        line = around.where.line if around.where else None
        variable = Variable(str(stmt.loop_var.name), kind, first, last, line)
        if kind == "block":
            self.found.blocks += (variable,)
        limits: tuple[Term, ...] = ()
        if not isinstance(low, int) or not isinstance(extent, int):
            limits = (Apply("le", (low, variable)), Apply("lt", (variable, add(low, extent))))
        self.bound[stmt.loop_var] = variable
        inside = _Around((*around.loops, variable), (*around.limits, *limits), around.guards, around.where)
        self.read(stmt.body, inside)

    def _read_While(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        self._scan(stmt.condition, around)
        self.read(stmt.body, _guarded(around, UNKNOWN))

    def _read_IfThenElse(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        self._scan(stmt.condition, around)
        condition = term(stmt.condition, self.bound)
        before = len(self.known)
        self.read(stmt.then_case, _guarded(around, condition))
        if stmt.else_case is not None:
            self.read(stmt.else_case, _guarded(around, Apply("not", (condition,))))
        if len(self.known) > before:  # what a branch assumes or leaves by may not hold behind it
            self.known[before:] = [UNKNOWN]

    def _read_AssertStmt(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        self.known.extend(conjuncts(term(stmt.condition, self.bound)))

    def _read_DeclBuffer(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        self._declare(stmt.buffer)

    _read_AllocBuffer = _read_DeclBuffer  # noqa: N815

    def _read_BufferStore(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        loads = list(self._scan(stmt.value, around))
        for index in stmt.indices:
            self._scan(index, around)
        starts, counts = self._indices(stmt.buffer, stmt.indices)
        own = any(load.buffer.same_as(stmt.buffer) for load in loads)
        sums = own and type(stmt.value).__name__ in ("Add", "Sub")
        self._add(stmt.buffer, "write", around, starts, counts, uses=self._uses(stmt.value), sums=sums, stored=True)

    def _read_Evaluate(self, stmt: Any, around: _Around) -> None:  # noqa: N802
        name = tile_op(stmt)
        call = stmt.value
        if name is not None:
            self._tile_operation(name, call, around)
        elif op_name(call).endswith(".assume"):
            self.known.extend(conjuncts(term(call.args[0], self.bound)))
        else:
            if op_name(call).rpartition(".")[2] in _LEAVES:
                self.known.append(UNKNOWN)
            self._scan(call, around)

    def _tile_operation(self, name: str, call: Any, around: _Around) -> None:
        kind = _kind(name, call)
        regions = [argument for argument in call.args if is_region(argument)]
        for argument in call.args:
            if not is_region(argument):
                self._scan(argument, around)
        for region in regions:  # indices that are loaded
            for index in region.args[0].indices:
                self._scan(index, around)
        modes = [_modes(name, kind, at, call, as_int(region.args[1])) for at, region in enumerate(regions)]
        for wanted in ("read", "atomic", "write"):
            for region, mode in zip(regions, modes, strict=True):
                if wanted not in mode:
                    continue
                buffer = region.args[0].buffer
                starts, _ = self._indices(buffer, region.args[0].indices)
                counts = tuple(term(extent, self.bound) for extent in region.args[2:])
                self._add(buffer, wanted, around, starts, counts, operation=kind, name=name)

    def _scan(self, expression: Any, around: _Around) -> list[Any]:
        """Note the loads in ``expression``; they are returned too."""
        kind = type(expression).__name__
        if kind in ("IntImm", "FloatImm", "Var", "StringImm", "SizeVar"):
            return []
        if kind == "BufferLoad":
            inner = [load for index in expression.indices for load in self._scan(index, around)]
            starts, counts = self._indices(expression.buffer, expression.indices)
            self._add(expression.buffer, "read", around, starts, counts)
            return [*inner, expression]
        if kind == "Call":
            return self._scan_call(expression, around)
        if kind == "Select":
            return self._scan_branches(expression.condition, expression.true_value, expression.false_value, around)
        if kind in ("And", "Or"):
            left = self._scan(expression.a, around)
            condition = term(expression.a, self.bound)
            condition = condition if kind == "And" else Apply("not", (condition,))
            return left + self._scan(expression.b, _guarded(around, condition))
        if kind == "Let":
            loads = self._scan(expression.value, around)
            self.bound[expression.var] = term(expression.value, self.bound)
            return loads + self._scan(expression.body, around)
        return [load for operand in operands(expression) for load in self._scan(operand, around)]

    def _scan_branches(self, condition: Any, yes: Any, no: Any, around: _Around) -> list[Any]:
        loads = self._scan(condition, around)
        chosen = term(condition, self.bound)
        loads += self._scan(yes, _guarded(around, chosen))
        return loads + self._scan(no, _guarded(around, Apply("not", (chosen,))))

    def _scan_call(self, call: Any, around: _Around) -> list[Any]:
        name = op_name(call).rpartition(".")[2]
        if name == "if_then_else":
            return self._scan_branches(*call.args, around)
        atomic = bool(tileops.atomic_name(call))
        loads: list[Any] = []
        for at, argument in enumerate(call.args):
            pointed = op_name(argument).rpartition(".")[2] in _POINTERS
            target = argument.args[0] if pointed and len(argument.args) else None
            if atomic and at == 0 and type(target).__name__ == "BufferLoad":
                for index in target.indices:
                    self._scan(index, around)
                starts, counts = self._indices(target.buffer, target.indices)
                self._add(target.buffer, "atomic", around, starts, counts, operation="atomic")
            else:
                loads += self._scan(argument, around)
        if name in _POINTERS:
            self._escape(call)
            return []
        if not name or name.startswith(("call_extern", "call_pure_extern", "ptx_", "tvm_")):
            self.found.escaped.update(load.buffer.data for load in loads)
        return loads

    def _escape(self, call: Any) -> None:
        for argument in call.args:
            if type(argument).__name__ == "BufferLoad":
                self.found.escaped.add(argument.buffer.data)
                for one in reversed(self.found.accesses):  # an address is no access of ours to judge
                    if one.buffer.same_as(argument.buffer):
                        self.found.accesses.remove(one)
                        break
            elif type(argument).__name__ == "Var":
                self.found.escaped.add(argument)

    def _indices(self, buffer: Any, indices: Any) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """First index and number of elements of each axis. An index that is always negative counts from the end."""
        shape = self._declare(buffer)
        starts, counts = [], []
        for extent, index in zip(shape, indices, strict=True):
            count: Term = 1
            if type(index).__name__ == "Ramp":
                stride, lanes = as_int(index.stride), as_int(index.lanes)
                count = lanes if stride == 1 and lanes is not None else UNKNOWN
                index = index.base
            start = term(index, self.bound)
            if interval(start)[1] < 0:
                start = add(start, extent)
            starts.append(start)
            counts.append(count)
        return tuple(starts), tuple(counts)

    def _uses(self, value: Any) -> frozenset[Variable]:
        """The variables that ``value`` depends on, also through indices of its loads."""
        kind = type(value).__name__
        if kind in ("Var", "SizeVar"):
            return variables(self.bound.get(value, UNKNOWN))
        inner: Iterable[Any] = value.indices if kind == "BufferLoad" else operands(value)
        return frozenset().union(*(self._uses(one) for one in inner))

    def _add(
        self,
        buffer: Any,
        mode: AccessMode,
        around: _Around,
        starts: tuple[Term, ...],
        counts: tuple[Term, ...],
        **facts: Any,
    ) -> None:
        self.found.accesses.append(
            Raw(
                buffer,
                mode,
                around.where,
                len(self.found.accesses),
                starts,
                counts,
                around.loops,
                around.limits,
                (*around.guards, *self.known),
                **facts,
            )
        )


def extract(func: Any) -> Extracted:
    """All accesses of ``func`` as its author wrote them."""
    reader = _Reader(func)
    reader.read(func.body, _Around())
    return reader.found


def _guarded(around: _Around, condition: Term) -> _Around:
    return _Around(around.loops, around.limits, (*around.guards, *conjuncts(condition)), around.where)


def _free_variables(expression: Any) -> Iterator[Any]:
    if type(expression).__name__ in ("Var", "SizeVar"):
        yield expression
    for operand in operands(expression):
        yield from _free_variables(operand)


def _kind(name: str, call: Any) -> OperationKind:
    return tileops.read(name, call)[0]


def _modes(name: str, kind: OperationKind, at: int, call: Any, mask: int | None) -> tuple[AccessMode, ...]:
    """How a tile operation accesses its region number ``at``, which declares ``mask``: 1 read, 2 write, 3 both."""
    if kind == "atomic" and at > 0:
        return ("atomic",)
    if name == "gemm" and at >= _OPERAND_READS["gemm"]:
        # Only a clear that is surely absent reads what was there: `clear_accum=(k == 0)` does not.
        return ("read", "write") if as_int(call.args[9]) == 0 else ("write",)
    if kind == "gemm":
        return ("read",) if mask == 1 else ("write",)
    if name == "reduce" and at == 1:
        return ("read", "write") if as_int(call.args[4]) == 0 else ("write",)
    return {1: ("read",), 2: ("write",)}.get(mask or 0, ("read", "write"))
