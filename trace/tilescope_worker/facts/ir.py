"""Reading the compiler's IR: statements without their expressions, spans, numbers.

Walking statements only keeps facts cheap: each step into an expression costs a call across the foreign interface,
and index expressions are most of a lowered module.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tilelang
from tilelang.ir import get_buffer_span, get_stmt_span

from tilescope_worker.wire.facts import Extent

Statement = Any
Expression = Any

_CHILD_FIELDS = ("seq", "block", "init", "body", "then_case", "else_case")
_OPERAND_FIELDS = ("a", "b", "value", "args", "condition", "true_value", "false_value", "base", "vectors")
_PACKAGE = Path(tilelang.__file__).resolve().parent
TILE_OP = "tl.tileop."


class Location(NamedTuple):
    """A line of a Python file."""

    file: str
    line: int


@cache
def is_user_file(file: str) -> bool:
    """Whether ``file`` is a kernel author's and not part of the tilelang package."""
    return not Path(file).resolve().is_relative_to(_PACKAGE)


@cache
def same_file(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()


def line_in(path: str, where: Location | None) -> int | None:
    """The line of ``where`` if it lies in the file ``path``."""
    return where.line if where is not None and same_file(where.file, path) else None


def _location_of(span: Any) -> Location | None:
    return None if span is None or span.line <= 0 else Location(span.source_name.name, int(span.line))


def location(stmt: Statement) -> Location | None:
    return _location_of(get_stmt_span(stmt))


def buffer_location(buffer: Any) -> Location | None:
    return _location_of(get_buffer_span(buffer))


@cache
def _child_fields(kind: type) -> tuple[str, ...]:
    return tuple(name for name in _CHILD_FIELDS if hasattr(kind, name))


@cache
def _operand_fields(kind: type) -> tuple[str, ...]:
    return tuple(name for name in _OPERAND_FIELDS if hasattr(kind, name))


def children(stmt: Statement) -> list[Statement]:
    """The statements directly inside ``stmt``, in order."""
    found: list[Statement] = []
    for name in _child_fields(stmt.__class__):
        child = getattr(stmt, name)
        if name == "seq":
            found += child[:]  # a slice asks the compiler half as often as iteration does
        elif child is not None:
            found.append(child)
    return found


def statements(root: Statement) -> Iterator[Statement]:
    """``root`` and all statements inside it, outer before inner, in program order."""
    stack = [root]
    while stack:
        stmt = stack.pop()
        yield stmt
        stack.extend(reversed(children(stmt)))


def operands(expression: Expression) -> Iterator[Expression]:
    """The expressions directly inside ``expression``; indices of buffer accesses are not among them."""
    for name in _operand_fields(expression.__class__):
        value = getattr(expression, name)
        if name in ("args", "vectors"):
            yield from value[:]
        elif value is not None:
            yield value


def kernel_bodies(mod: Any) -> list[Statement]:
    """The bodies of the module's PrimFuncs."""
    return [func.body for func in prim_funcs(mod)]


def prim_funcs(mod: Any) -> list[Any]:
    return [func for func in mod.functions.values() if hasattr(func, "body") and hasattr(func, "buffer_map")]


def op_name(expression: Expression) -> str:
    """Name of the operator of a call, or the empty string."""
    return str(getattr(getattr(expression, "op", None), "name", ""))


def tile_op(stmt: Statement) -> str | None:
    """Name of the tile operation a statement is (``copy``, ``gemm`` ...), None for any other statement."""
    if type(stmt).__name__ != "Evaluate":
        return None
    name = op_name(stmt.value)
    return name[len(TILE_OP) :] if name.startswith(TILE_OP) else None


def touched_buffers(call: Expression, without_scope: str = "") -> tuple[str, ...]:
    """Names of the buffers whose regions a tile operation takes, in the order of its arguments."""
    regions = (region_buffer(argument) for argument in call.args)
    return tuple(b.name for b in regions if b is not None and b.scope() != without_scope)


def region_buffer(argument: Expression) -> Any | None:
    """The buffer of an operand of a tile operation (a region, or an element of it), None for any other argument."""
    if is_region(argument):
        argument = argument.args[0]
    return argument.buffer if type(argument).__name__ == "BufferLoad" else None


def region_extents(argument: Expression) -> tuple[Extent, ...]:
    """The extents of a region, which is (first element, access, extent of each axis); empty for anything else."""
    return tuple(extent(value) for value in argument.args[2:]) if is_region(argument) else ()


def is_region(argument: Expression) -> bool:
    """Whether an operand is a region: (first element, access, extent of each axis)."""
    return op_name(argument).endswith(".region")


def as_int(expression: Expression) -> int | None:
    """The value of a constant (also a bool), None for anything else."""
    if isinstance(expression, (bool, int)):
        return int(expression)
    value = getattr(expression, "value", None)
    return int(value) if isinstance(value, (bool, int)) and type(expression).__name__ == "IntImm" else None


def extent(expression: Expression) -> Extent:
    """A dimension: a number, or the expression as the compiler prints it."""
    number = as_int(expression)
    # Printing an expression declares its free variables in the lines before it.
    return number if number is not None else str(expression).splitlines()[-1]
