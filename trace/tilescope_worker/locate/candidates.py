"""The statements of a fresh PrimFunc that may be at fault, each with the buffers it touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tilescope_worker.facts import tileops
from tilescope_worker.facts.ir import (
    Location,
    Statement,
    as_int,
    buffer_location,
    children,
    extent,
    is_region,
    is_user_file,
    location,
    operands,
    region_buffer,
    region_extents,
    tile_op,
)
from tilescope_worker.facts.loops import is_parallel
from tilescope_worker.wire.messages import Operand

_ROLES = {"copy": ("src", "dst"), "gemm": ("A", "B", "C"), "reduce": ("src", "dst"), "fill": ("dst",)}
_EXPRESSIONS = ("value", "condition", "min", "extent")


@dataclass(frozen=True, eq=False)
class Access:
    """One element access: ``indices`` as printed; ``variables`` are the loop variables in them."""

    buffer: Any
    indices: tuple[str, ...]
    variables: frozenset[Any]
    written: bool


@dataclass(frozen=True, eq=False)
class Candidate:
    """A statement with a line of the user's. ``kind`` is that of a tile operation, or ``store``, ``call``,
    ``condition``; ``loops`` are the loops around it, outermost first."""

    index: int
    statement: Statement
    kind: str
    where: Location
    operands: tuple[Operand, ...] = ()
    accesses: tuple[Access, ...] = ()
    loops: tuple[Any, ...] = ()
    variables: frozenset[Any] = field(default_factory=frozenset)

    @property
    def parallel(self) -> tuple[Any, ...]:
        """The T.Parallel loops around it."""
        return tuple(loop for loop in self.loops if is_parallel(loop))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the buffers that it touches."""
        accessed = (str(access.buffer.name) for access in self.accesses)
        return tuple(dict.fromkeys((*(operand.name for operand in self.operands), *accessed)))


def read(func: Any) -> tuple[Candidate, ...]:
    """All candidates of ``func``, in program order."""
    return tuple(Candidate(index, **found) for index, found in enumerate(_walk(func.body, ())))


def operand(role: str, buffer: Any, extents: tuple[int | str, ...] = ()) -> Operand:
    """What a message can tell about a buffer (anything with a name, shape, dtype and scope)."""
    where = buffer_location(buffer)
    known = where is not None and is_user_file(where.file)
    return Operand(
        role=role,
        name=str(buffer.name),
        shape=tuple(extent(size) for size in buffer.shape),
        extents=extents,
        dtype=str(buffer.dtype),
        scope=str(buffer.scope()),
        file=where.file if where is not None and known else None,
        line=where.line if where is not None and known else None,
    )


def _walk(stmt: Statement, loops: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    where = location(stmt)
    kind = _kind(stmt)
    if kind and where is not None and is_user_file(where.file):
        accesses = tuple(_accesses(stmt))
        yield {
            "statement": stmt,
            "kind": kind,
            "where": where,
            "operands": _operands(kind, stmt),
            "accesses": accesses,
            "loops": loops,
            "variables": frozenset(v for e in _expressions(stmt) for v in variables(e)),
        }
    if type(stmt).__name__ == "For" and stmt.thread_binding is None:
        loops = (*loops, stmt)
    for child in children(stmt):
        yield from _walk(child, loops)


def _kind(stmt: Statement) -> str:
    name = tile_op(stmt)
    if name is not None:
        return str(tileops.read(name, stmt.value)[0]) if name != "reduce" else "reduce"
    plain = {"BufferStore": "store", "IfThenElse": "condition"}.get(type(stmt).__name__, "")
    if type(stmt).__name__ == "Evaluate" and as_int(stmt.value) is None:
        return "call"
    return plain


def _operands(kind: str, stmt: Statement) -> tuple[Operand, ...]:
    if tile_op(stmt) is None:
        return ()
    regions = [(argument, region_buffer(argument)) for argument in stmt.value.args]
    named = [(argument, buffer) for argument, buffer in regions if buffer is not None]
    roles = _ROLES.get(kind, ())
    return tuple(
        operand(roles[at] if at < len(roles) else "", buffer, region_extents(argument))
        for at, (argument, buffer) in enumerate(named)
    )


def _expressions(stmt: Statement) -> Iterator[Any]:
    for name in _EXPRESSIONS:
        value = getattr(stmt, name, None)
        if value is not None and not isinstance(value, (int, str)):
            yield value
    if type(stmt).__name__ == "BufferStore":
        yield from stmt.indices


def _accesses(stmt: Statement) -> Iterator[Access]:
    if type(stmt).__name__ == "BufferStore":
        yield _access(stmt.buffer, stmt.indices, written=True)
    for expression in _expressions(stmt):
        yield from _loads(expression)


def _loads(expression: Any) -> Iterator[Access]:
    if is_region(expression):
        return
    if type(expression).__name__ == "BufferLoad":
        yield _access(expression.buffer, expression.indices, written=False)
        for index in expression.indices:
            yield from _loads(index)
        return
    for inner in operands(expression):
        yield from _loads(inner)


def _access(buffer: Any, indices: Any, *, written: bool) -> Access:
    found = frozenset(v for index in indices for v in variables(index))
    return Access(buffer, tuple(str(extent(index)) for index in indices), found, written)


def variables(expression: Any) -> Iterator[Any]:
    """All variables in an expression, those in indices of loads too."""
    if type(expression).__name__ == "Var":
        yield expression
    if type(expression).__name__ == "BufferLoad":
        for index in expression.indices:
            yield from variables(index)
    for inner in operands(expression):
        yield from variables(inner)
