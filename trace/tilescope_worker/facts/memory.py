"""Shared memory of the lowered kernel."""

from __future__ import annotations

import math
from typing import Any

from .buffers import bits
from .ir import as_int, prim_funcs, statements

_DYNAMIC_BYTES = "dyn_shared_memory_buf"


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
        sizes = [as_int(size) for size in stmt.buffer.shape]
        if None in sizes:
            return None
        total += -(-math.prod(size for size in sizes if size is not None) * bits(str(stmt.buffer.dtype)) // 8)
    return total


def _is_static_shared(scope: str) -> bool:
    """Barriers are shared memory too; other ``shared.*`` scopes are dynamic or no shared memory (tmem, L1, L0)."""
    return scope == "shared" or (scope.startswith("shared.") and scope.endswith("barrier"))
