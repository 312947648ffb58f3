"""The accesses of a fresh PrimFunc in program order, with the loops and conditions around them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tilescope_worker.facts import tileops
from tilescope_worker.facts.ir import as_int, children, is_region, is_user_file, location, op_name, tile_op
from tilescope_worker.wire.facts import AccessMode, OperationKind

from .loads import Notes
from .raw import Around, Extracted
from .terms import UNKNOWN, Apply, Term, Variable, VariableKind, add, conjuncts, interval

_LAUNCH_THREADS = "tl.launch_threads"
_REDUCERS = "reducer_info"
_AXES = "xyz"
_EXITS = frozenset({"thread_return", "ret", "break_loop", "continue_loop", "loop_break", "loop_continue"})
_PARALLEL = 1
_ACCUMULATOR = 2
"""Position of a GEMM's accumulator among its regions."""


def extract(func: Any) -> Extracted:
    """All accesses of ``func`` as its author wrote them."""
    reader = _Reader(func)
    reader.read(func.body, Around())
    return reader.notes.found


class _Reader:
    def __init__(self, func: Any) -> None:
        self.notes = Notes(func)
        self._handlers: dict[str, Callable[[Any, Around], None]] = {
            "SBlock": self._block,
            "Bind": self._bind,
            "For": self._loop,
            "While": self._while,
            "IfThenElse": self._branch,
            "AssertStmt": self._assertion,
            "BufferStore": self._store,
            "Evaluate": self._evaluate,
        }

    def read(self, stmt: Any, around: Around) -> None:
        where = location(stmt)
        if where is not None and is_user_file(where.file):
            around = replace(around, where=where)
        kind = type(stmt).__name__
        if kind in self._handlers:
            self._handlers[kind](stmt, around)
            return
        if kind in ("DeclBuffer", "AllocBuffer"):
            self.notes.declare(stmt.buffer)
        for child in children(stmt):
            self.read(child, around)

    def _block(self, stmt: Any, around: Around) -> None:
        if _LAUNCH_THREADS in stmt.annotations:
            self._limit_threads([as_int(size) for size in stmt.annotations[_LAUNCH_THREADS]])
        if _REDUCERS in stmt.annotations:
            self.notes.found.reducers.update(stmt.annotations[_REDUCERS])
        for buffer in stmt.alloc_buffers:
            self.notes.declare(buffer)
        for child in children(stmt):
            self.read(child, around)

    def _limit_threads(self, sizes: list[int | None]) -> None:
        for key, value in list(self.notes.bound.items()):
            if isinstance(value, Variable) and value.kind == "thread" and math.isinf(value.last):
                size = sizes[_AXES.index(value.name[1])]
                self.notes.bound[key] = replace(value, last=math.inf if size is None else size - 1)

    def _bind(self, stmt: Any, around: Around) -> None:
        if op_name(stmt.value).endswith("launch_thread_idx"):
            axis = _AXES[as_int(stmt.value.args[0]) or 0]
            self.notes.bound[stmt.var] = Variable(f"t{axis}", "thread", 0, math.inf)
            return
        self.notes.scan(stmt.value, around)
        self.notes.bound[stmt.var] = self.notes.term(stmt.value)

    def _loop(self, stmt: Any, around: Around) -> None:
        self.notes.scan(stmt.extent, around)
        low, extent = self.notes.term(stmt.min), self.notes.term(stmt.extent)
        end = add(low, extent)
        line = around.where.line if around.where else None
        loop = Variable(str(stmt.loop_var.name), _loop_kind(stmt), interval(low)[0], interval(end)[1] - 1, line)
        limits: tuple[Term, ...] = ()
        if not isinstance(low, int) or not isinstance(extent, int):
            limits = (Apply("le", (low, loop)), Apply("lt", (loop, end)))
        self.notes.bound[stmt.loop_var] = loop
        self.read(stmt.body, around.within(loop, limits))

    def _while(self, stmt: Any, around: Around) -> None:
        self.notes.scan(stmt.condition, around)
        self.read(stmt.body, around.guarded(UNKNOWN))

    def _branch(self, stmt: Any, around: Around) -> None:
        self.notes.scan(stmt.condition, around)
        condition = self.notes.term(stmt.condition)
        known = self.notes.known
        before = len(known)
        self.read(stmt.then_case, around.guarded(condition))
        if stmt.else_case is not None:
            self.read(stmt.else_case, around.guarded(Apply("not", (condition,))))
        if len(known) > before:  # what a branch assumes or leaves by need not hold behind it
            known[before:] = [UNKNOWN]

    def _assertion(self, stmt: Any, around: Around) -> None:
        self.notes.scan(stmt.condition, around)
        self.notes.known.extend(conjuncts(self.notes.term(stmt.condition)))

    def _store(self, stmt: Any, around: Around) -> None:
        loads = self.notes.scan(stmt.value, around)
        for index in stmt.indices:
            self.notes.scan(index, around)
        own = any(load.buffer.same_as(stmt.buffer) for load in loads)
        sums = own and type(stmt.value).__name__ in ("Add", "Sub")
        uses = self.notes.uses(stmt.value)
        self.notes.note(stmt.buffer, "write", stmt.indices, around, stored=True, uses=uses, sums=sums)

    def _evaluate(self, stmt: Any, around: Around) -> None:
        name, call = tile_op(stmt), stmt.value
        if name is not None:
            self._tile_operation(name, call, around)
            return
        said = op_name(call).rpartition(".")[2]
        if said == "assume":
            self.notes.known.extend(conjuncts(self.notes.term(call.args[0])))
            return
        if said in _EXITS:
            self.notes.known.append(UNKNOWN)
        self.notes.scan(call, around)

    def _tile_operation(self, name: str, call: Any, around: Around) -> None:
        """Reads come before writes: an operation reads all of its operands before it has a result."""
        kind = tileops.read(name, call)[0]
        regions = [argument for argument in call.args if is_region(argument)]
        for argument in call.args:
            inner = argument.args[0].indices if is_region(argument) else [argument]
            for expression in inner:
                self.notes.scan(expression, around)
        modes = [_modes(name, kind, at, call, as_int(region.args[1])) for at, region in enumerate(regions)]
        wanted: tuple[AccessMode, ...] = ("read", "atomic", "write")
        for mode in wanted:
            for region, own in zip(regions, modes, strict=True):
                if mode in own:
                    first = region.args[0]
                    counts = tuple(map(self.notes.term, region.args[2:]))
                    self.notes.note(first.buffer, mode, first.indices, around, counts=counts, operation=kind)


def _loop_kind(stmt: Any) -> VariableKind:
    if stmt.thread_binding is not None:
        return "block" if str(stmt.thread_binding.thread_tag).startswith("block") else "thread"
    return "parallel" if int(stmt.kind) == _PARALLEL else "serial"


def _modes(name: str, kind: OperationKind, at: int, call: Any, mask: int | None) -> tuple[AccessMode, ...]:
    """How a tile operation accesses its region number ``at``, which declares ``mask``: 1 read, 2 write, 3 both."""
    if kind == "atomic" and at > 0:
        return ("atomic",)
    if name == "gemm" and at == _ACCUMULATOR:
        # Only a clear that is surely absent reads what was there: `clear_accum=(k == 0)` does not.
        return ("read", "write") if as_int(call.args[9]) == 0 else ("write",)
    if kind == "gemm":
        return ("read",) if mask == 1 else ("write",)
    if name == "reduce" and at == 1:
        return ("read", "write") if as_int(call.args[4]) == 0 else ("write",)
    if mask == 1:
        return ("read",)
    return ("write",) if mask == 2 else ("read", "write")
