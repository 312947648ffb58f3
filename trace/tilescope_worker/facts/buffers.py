"""The buffers a kernel's author declared: parameters and allocations."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import tvm

from tilescope_worker.wire.facts import Buffer, Extent

from .ir import buffer_location, extent, is_user_file, kernel_bodies, line_in, prim_funcs, statements

Key = tuple[str, int | None, int]
"""Name, line and how many of that name and line came before: a macro allocates at one line for every call."""


def declared(func: Any, path: str) -> dict[Key, Buffer]:
    """The buffers of a fresh PrimFunc, parameters first. Those that TileLang's own macros allocate are left out.

    ``line`` is None where the declaration is not in the file ``path`` (a macro imported from elsewhere).
    """
    found: dict[Key, Buffer] = {}
    seen: Counter[tuple[str, int | None]] = Counter()
    for buffer in (*_parameters(func), *allocations(func.body)):
        where = buffer_location(buffer)
        if where is not None and not is_user_file(where.file):
            continue
        found[_key(buffer, seen)] = _fact(buffer, line_in(path, where))
    return found


def staged(buffers: dict[Key, Buffer], mod: Any) -> dict[Key, Buffer]:
    """``buffers`` with the stages that pipelining gave them: a leading dimension in front of the declared shape."""
    current = allocated(mod)
    return {key: _with_stages(buffer, current.get(key)) for key, buffer in buffers.items()}


def allocated(mod: Any) -> dict[Key, Any]:
    """The compiler's buffers of a module under way, by the keys that ``declared`` gives them."""
    seen: Counter[tuple[str, int | None]] = Counter()
    found: dict[Key, Any] = {}
    for func in prim_funcs(mod):
        for buffer in _parameters(func):
            found.setdefault(_key(buffer, seen), buffer)
    for body in kernel_bodies(mod):
        for buffer in allocations(body):
            found.setdefault(_key(buffer, seen), buffer)
    return found


def names(buffers: dict[Key, Buffer]) -> dict[str, list[Buffer]]:
    by_name: dict[str, list[Buffer]] = defaultdict(list)
    for buffer in buffers.values():
        by_name[buffer.name].append(buffer)
    return by_name


def _parameters(func: Any) -> list[Any]:
    by_parameter = dict(func.buffer_map.items())
    return [by_parameter[parameter] for parameter in func.params if parameter in by_parameter]


def allocations(body: Any) -> Iterator[Any]:
    """The buffers that a kernel allocates, in program order."""
    for stmt in statements(body):
        kind = type(stmt).__name__
        if kind == "SBlock":
            yield from stmt.alloc_buffers
        elif kind == "AllocBuffer":
            yield stmt.buffer


def _key(buffer: Any, seen: Counter[tuple[str, int | None]]) -> Key:
    where = buffer_location(buffer)
    name_and_line = (str(buffer.name), where.line if where else None)
    seen[name_and_line] += 1
    return (*name_and_line, seen[name_and_line] - 1)


def _fact(buffer: Any, line: int | None) -> Buffer:
    shape = tuple(extent(dimension) for dimension in buffer.shape)
    dtype = str(buffer.dtype)
    return Buffer(
        name=str(buffer.name),
        line=line,
        column=None,
        shape=shape,
        dtype=dtype,
        scope=str(buffer.scope()),
        bytes=_bytes(shape, dtype),
    )


def _with_stages(buffer: Buffer, current: Any | None) -> Buffer:
    if current is None:
        return buffer
    shape = tuple(extent(dimension) for dimension in current.shape)
    stages = 1
    if len(shape) == len(buffer.shape) + 1 and shape[1:] == buffer.shape and isinstance(shape[0], int):
        stages = shape[0]
    size = None if buffer.dtype is None else _bytes((stages, *buffer.shape), buffer.dtype)
    return replace(buffer, stages=stages, scope=str(current.scope()), bytes=size)


def bits(dtype: str) -> int:
    """Bits of one element of ``dtype``."""
    kind = tvm.DataType(dtype)
    return int(kind.bits) * int(kind.lanes)


def _bytes(shape: tuple[Extent, ...], dtype: str) -> int | None:
    sizes = [size for size in shape if isinstance(size, int) and size >= 0]
    if len(sizes) != len(shape):
        return None
    return -(-math.prod(sizes) * bits(dtype) // 8)
