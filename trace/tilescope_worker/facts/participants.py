"""The operations that take part in layout inference, in the compiler's order, with the buffers they bind together.

The compiler's own list (``BufferUseDefCollector`` in its layout_inference.cc) holds every tile operation and every
outermost parallel loop. Storage is what layouts belong to: buffers are told apart by their data variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from .ir import (
    Expression,
    Location,
    Statement,
    as_int,
    children,
    is_region,
    location,
    operands,
    prim_funcs,
    region_buffer,
    statements,
    tile_op,
)
from .loops import is_parallel

Storage = Any
"""The data variable of a buffer."""

Kind = Literal["gemm", "copy", "parallel", "reduce", "scan", "finalize", "other"]

FRAGMENT, REDUCER, TENSOR_MEMORY = "local.fragment", "local.reducer", "shared.tmem"
LOOP_LAYOUT = "parallel_loop_layout"
_OWN_EXPRESSIONS = ("condition", "value", "message", "min", "extent")


@dataclass(frozen=True, eq=False)
class Access:
    """How one operation touches a fragment. ``constant``: all indices are; ``zero``: they are all 0; ``foreign``: an
    index depends on a variable that is none of the operation's own loops."""

    storage: Storage
    rank: int
    write: bool
    read: bool
    constant: bool
    zero: bool
    foreign: bool


@dataclass(frozen=True, eq=False)
class Participant:
    """One operation. ``title`` is what its author wrote (``T.copy``), ``operands`` are its buffers in the order of
    its arguments, ``uses`` the fragments whose layouts it depends on, ``accesses`` those it runs its loop over, in
    the order in which the compiler looks at them, and ``updates`` the reducers that it adds to."""

    index: int
    kind: Kind
    title: str
    where: Location | None
    operands: tuple[Any, ...] = ()
    uses: tuple[Storage, ...] = ()
    accesses: tuple[Access, ...] = ()
    updates: tuple[Storage, ...] = ()
    dimension: int | None = None
    annotated: bool = False


@dataclass
class Participants:
    """All of a module. ``floating`` are fragments touched outside of any operation, with the first such place;
    ``scopes`` and ``buffers`` describe every storage that an operation touches."""

    operations: list[Participant] = field(default_factory=list)
    floating: dict[Storage, Location | None] = field(default_factory=dict)
    buffers: dict[Storage, Any] = field(default_factory=dict)
    scopes: dict[Storage, str] = field(default_factory=dict)

    def see(self, buffer: Any) -> str:
        """Remember a buffer; its scope."""
        storage = buffer.data
        if storage not in self.scopes:
            self.buffers[storage] = buffer
            self.scopes[storage] = str(buffer.scope())
        return self.scopes[storage]


def read(mod: Any) -> Participants:
    """The participants of the module that layout inference is about to run on."""
    found = Participants()
    for func in prim_funcs(mod):
        _walk(func.body, found)
    return found


def _walk(stmt: Statement, found: Participants) -> None:
    if is_parallel(stmt):
        found.operations.append(_parallel(stmt, found))
        return
    name = tile_op(stmt)
    if name is not None:
        found.operations.append(_tile_operation(name, stmt, found))
        return
    for buffer, _, _ in _own_accesses(stmt):
        if found.see(buffer) == FRAGMENT:
            found.floating.setdefault(buffer.data, location(stmt))
    for child in children(stmt):
        _walk(child, found)


def _parallel(loop: Any, found: Participants) -> Participant:
    own = {stmt.loop_var for stmt in statements(loop) if type(stmt).__name__ == "For"}
    accesses: dict[Storage, Access] = {}
    updates: list[Storage] = []
    for stmt in statements(loop):
        for buffer, indices, write in _own_accesses(stmt):
            scope = found.see(buffer)
            if scope == REDUCER and not write:
                updates.append(buffer.data)
            if scope == FRAGMENT:
                _merge(accesses, _access(buffer, indices, write, own))
    uses = (*accesses, *updates)
    annotated = LOOP_LAYOUT in loop.annotations
    return Participant(
        index=len(found.operations),
        kind="parallel",
        title=_loop_title(loop),
        where=location(loop),
        uses=uses,
        accesses=tuple(accesses.values()),
        updates=tuple(dict.fromkeys(updates)),
        annotated=annotated,
    )


def _loop_title(loop: Any) -> str:
    """The compiler puts a loop of its own around an assignment to a buffer; such a loop has the assignment's line."""
    return "the assignment" if location(loop.body) == location(loop) and not is_parallel(loop.body) else "T.Parallel"


def _merge(accesses: dict[Storage, Access], access: Access) -> None:
    """The compiler keeps the first indices of a buffer and adds up how it is used."""
    known = accesses.get(access.storage)
    if known is None:
        accesses[access.storage] = access
    elif known.write < access.write or known.read < access.read:
        flags = {"write": known.write or access.write, "read": known.read or access.read}
        accesses[access.storage] = Access(**{**vars(known), **flags})


def _tile_operation(name: str, stmt: Statement, found: Participants) -> Participant:
    call = stmt.value
    buffers = [buffer for buffer in map(region_buffer, call.args) if buffer is not None]
    uses = [buffer.data for buffer in buffers if found.see(buffer) in (FRAGMENT, REDUCER)]
    for argument in call.args:
        for buffer, _ in _loads(argument):
            if found.see(buffer) == FRAGMENT:
                uses.append(buffer.data)
    kind, title = _named(name, call)
    return Participant(
        index=len(found.operations),
        kind=kind,
        title=title,
        where=location(stmt),
        operands=tuple(buffers),
        uses=tuple(uses),
        accesses=tuple(_copy_accesses(call, found)) if kind == "copy" else (),
        dimension=as_int(call.args[3]) if kind == "reduce" else None,
        annotated=kind == "copy" and LOOP_LAYOUT in call.annotations,
    )


def _named(name: str, call: Any) -> tuple[Kind, str]:
    if name.endswith("copy"):
        return "copy", "T.copy"
    if "gemm" in name:
        return "gemm", f"T.{name}"
    if name == "reduce":
        return "reduce", f"T.reduce_{call.args[2].value}"
    if name in ("cumsum", "cummax"):
        return "scan", f"T.{name}"
    if name == "finalize_reducer_v2":
        return "finalize", "T.finalize_reducer"
    return "other", f"T.{name}"


def _copy_accesses(call: Any, found: Participants) -> Iterator[Access]:
    """A copy runs as the parallel loop ``dst[...] = src[...]``, over the axes that are longer than 1."""
    for argument, write in ((call.args[1], True), (call.args[0], False)):
        buffer = region_buffer(argument)
        if buffer is None or found.see(buffer) != FRAGMENT:
            continue
        load = argument.args[0] if is_region(argument) else argument
        extents = [as_int(size) for size in argument.args[2:]] if is_region(argument) else [1] * len(load.indices)
        starts = [as_int(index) for index in load.indices]
        fixed = all(size == 1 for size in extents) and None not in starts
        yield Access(
            storage=buffer.data,
            rank=len(load.indices),
            write=write,
            read=not write,
            constant=fixed,
            zero=fixed and not any(starts),
            foreign=any(True for index in load.indices for _ in _variables(index)),
        )


def _access(buffer: Any, indices: Any, write: bool, own: set[Any]) -> Access:
    numbers = [as_int(index) for index in indices]
    return Access(
        storage=buffer.data,
        rank=len(numbers),
        write=write,
        read=not write,
        constant=None not in numbers,
        zero=not any(number != 0 for number in numbers),
        foreign=any(variable not in own for index in indices for variable in _variables(index)),
    )


def _own_accesses(stmt: Statement) -> Iterator[tuple[Any, Any, bool]]:
    """(buffer, indices, whether written) of the accesses in a statement itself, not in statements inside it."""
    if type(stmt).__name__ == "BufferStore":
        yield stmt.buffer, stmt.indices, True
        for index in stmt.indices:
            yield from ((buffer, indices, False) for buffer, indices in _loads(index))
    for name in _OWN_EXPRESSIONS:
        value = getattr(stmt, name, None)
        if value is not None and not isinstance(value, (int, str)):
            yield from ((buffer, indices, False) for buffer, indices in _loads(value))


def _loads(expression: Expression) -> Iterator[tuple[Any, Any]]:
    """(buffer, indices) of all loads in an expression, outer ones before those in their indices."""
    if type(expression).__name__ == "BufferLoad":
        yield expression.buffer, expression.indices
        for index in expression.indices:
            yield from _loads(index)
        return
    for operand in operands(expression):
        yield from _loads(operand)


def _variables(expression: Expression) -> Iterator[Any]:
    if type(expression).__name__ == "Var":
        yield expression
    for operand in operands(expression):
        yield from _variables(operand)
