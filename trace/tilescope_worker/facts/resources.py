"""What one block of the lowered kernel takes of a GPU beside shared memory: barriers, clusters, tensor memory, and
the registers of specialized warps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tilescope_worker.wire.facts import WarpGroup

from .ir import as_int, op_name, prim_funcs, statements

_CLUSTER = "cluster_dims"
_WARP_SPECIALIZATION = "kWarpSpecializationScope"


def barriers(device_mod: Any) -> int | None:
    """The mbarriers that the kernel allocates; None where their number is symbolic."""
    total = 0
    for stmt in _statements(device_mod):
        if type(stmt).__name__ == "AllocBuffer" and str(stmt.buffer.scope()).endswith("barrier"):
            sizes = [as_int(size) for size in stmt.buffer.shape]
            if None in sizes:
                return None
            total += math.prod(size for size in sizes if size is not None)
    return total


def cluster(device_mod: Any) -> tuple[int, ...] | None:
    """Blocks of a cluster along each axis; None without one."""
    for func in prim_funcs(device_mod):
        attributes = func.attrs or {}
        if _CLUSTER in attributes:
            sizes = [as_int(size) for size in attributes[_CLUSTER]]
            return None if None in sizes else tuple(size for size in sizes if size is not None)
    return None


def tensor_memory_columns(device_mod: Any) -> int | None:
    """Columns of tensor memory that the kernel allocates; None where it allocates none."""
    found = [
        as_int(stmt.value.args[1])
        for stmt in _statements(device_mod)
        if type(stmt).__name__ == "Evaluate" and op_name(stmt.value).endswith("ptx_init_tensor_memory")
    ]
    known = [columns for columns in found if columns is not None]
    return sum(known) if known and len(known) == len(found) else None


def warp_groups(device_mod: Any) -> tuple[WarpGroup, ...]:
    """Producer and consumer warps with the registers they set for themselves; empty without specialization."""
    for stmt in _statements(device_mod):
        if type(stmt).__name__ != "AttrStmt" or stmt.attr_key != _WARP_SPECIALIZATION:
            continue
        producers, consumers = (as_int(size) for size in stmt.node)
        # A synchronization may come before the branch.
        branch = next((one for one in statements(stmt.body) if type(one).__name__ == "IfThenElse"), None)
        if producers is None or consumers is None or branch is None:
            return ()
        return (
            WarpGroup("producer", producers, _registers_set(branch.then_case)),
            WarpGroup("consumer", consumers, _registers_set(branch.else_case)),
        )
    return ()


def _registers_set(body: Any) -> int | None:
    """The registers per thread that ``setmaxnreg`` asks for first."""
    for stmt in statements(body) if body is not None else ():
        if type(stmt).__name__ == "Evaluate" and op_name(stmt.value).endswith(".set_max_nreg"):
            return as_int(stmt.value.args[0])
    return None


def _statements(device_mod: Any) -> Iterator[Any]:
    for func in prim_funcs(device_mod):
        yield from statements(func.body)
