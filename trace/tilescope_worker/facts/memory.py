"""Shared memory of the lowered kernel, and the on-chip memories of an Ascend core."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from tilescope_worker.wire.facts import Buffer, MemoryUse

from .buffers import bits
from .ir import as_int, prim_funcs, statements

_DYNAMIC_BYTES = "dyn_shared_memory_buf"
_DYNAMIC_ALIGNMENT = 1024
"""Bytes; generated CUDA and HIP source aligns its dynamic shared memory so, behind what is static."""
_GPU = dict.fromkeys(("shared", "shared.dyn", "shared.barrier", "shared.cluster_barrier"), "shared")
_ASCEND = {
    "shared": "ub",
    "shared.dyn": "ub",
    "shared.l1": "l1",
    "shared.l1.dyn": "l1",
    "shared.l0a": "l0a",
    "shared.l0b": "l0b",
    "shared.l0c": "l0c",
}
"""The memory that a buffer of each scope is in. Merged allocations of L1 have a scope of their own."""


def shared_bytes(device_mod: Any) -> tuple[int | None, int | None]:
    """Dynamic and static shared memory of the device function, barriers included; None where symbolic, or where there
    are several functions that differ."""
    dynamic = {_dynamic_bytes(func) for func in prim_funcs(device_mod)}
    static = {_static_bytes(func.body) for func in prim_funcs(device_mod)}
    return _only(dynamic), _only(static)


def _only(sizes: set[int | None]) -> int | None:
    return next(iter(sizes)) if len(sizes) == 1 else None


def _dynamic_bytes(func: Any) -> int | None:
    attributes = func.attrs or {}
    return as_int(attributes[_DYNAMIC_BYTES]) if _DYNAMIC_BYTES in attributes else 0


def _static_bytes(body: Any) -> int | None:
    total = 0
    for stmt in statements(body):
        if type(stmt).__name__ != "AllocBuffer" or not _is_static_shared(str(stmt.buffer.scope())):
            continue
        size = _size(stmt.buffer)
        if size is None:
            return None
        total += size
    return total


def _is_static_shared(scope: str) -> bool:
    """Barriers are shared memory too; other ``shared.*`` scopes are dynamic or no shared memory (tmem, L1, L0)."""
    return scope == "shared" or (scope.startswith("shared.") and scope.endswith("barrier"))


def uses(device_mod: Any, declared: Iterable[Buffer], *, ascend: bool) -> tuple[MemoryUse, ...]:
    """What the kernel takes of each on-chip memory, and what its ``declared`` buffers take one by one; memories that
    it takes nothing of are left out, and those whose size is symbolic."""
    space_of = _ASCEND if ascend else _GPU
    own = _summed((space_of.get(buffer.scope), buffer.bytes) for buffer in declared)
    taken: dict[str, int | None] = {}
    for func in prim_funcs(device_mod):
        allocated = (stmt.buffer for stmt in statements(func.body) if type(stmt).__name__ == "AllocBuffer")
        sizes = _summed((space_of.get(str(buffer.scope())), _size(buffer)) for buffer in allocated)
        for space, size in sizes.items():
            before = taken.get(space, 0)
            taken[space] = None if size is None or before is None else max(before, size)
    if not ascend:
        taken = {space: _of_block(*shared_bytes(device_mod)) for space in taken}
    return tuple(MemoryUse(space, size, own.get(space)) for space, size in taken.items() if size is not None)


def _of_block(dynamic: int | None, static: int | None) -> int | None:
    """Shared memory of a block with the gap between its static and its dynamic part."""
    if dynamic is None or static is None or not dynamic:
        return static if dynamic == 0 else None
    return -(-static // _DYNAMIC_ALIGNMENT) * _DYNAMIC_ALIGNMENT + dynamic


def _summed(sizes: Iterable[tuple[str | None, int | None]]) -> dict[str, int | None]:
    """Bytes by memory, None where one of the sizes is."""
    found: dict[str, int | None] = {}
    for space, size in sizes:
        if space is not None:
            before = found.get(space, 0)
            found[space] = None if size is None or before is None else before + size
    return found


def _size(buffer: Any) -> int | None:
    sizes = [as_int(size) for size in buffer.shape]
    if None in sizes:
        return None
    return -(-math.prod(size for size in sizes if size is not None) * bits(str(buffer.dtype)) // 8)
