"""How many blocks an SM holds at once, and what keeps it from more.

The arithmetic is that of NVIDIA's occupancy calculator (``cuda_occupancy.h``): registers are given to whole warps,
rounded up, within one of the SM's partitions; shared memory to whole blocks, with what the system reserves, rounded
up. AMD's is alike where its limits are known.

Before the source is assembled, the registers of a thread are not known, but at least so many are needed that

- the block's pool suffices for what its warp groups set: ``setmaxnreg`` only moves registers between warps of one
  block, and waits until the pool has enough (PTX ISA, setmaxnreg). A kernel is launched with the same number for each
  thread, so that this is at least ``sum(threads × registers) / threads of the block``;
- where the groups that compute do not set theirs, a thread holds its share of the accumulators of one ``T.gemm``, all
  of whose elements are alive at once, as far as a thread can have so many (the rest is spilled). Other fragments are
  left out: their elements can die one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tilescope_worker.wire.facts import Kernel, Launch

from .limits import Limits, limits_of

Limiter = Literal["registers", "shared memory", "threads", "blocks"]


@dataclass(frozen=True)
class Occupancy:
    """``share`` of the warps that an SM can hold; ``limiter`` is the resource of which there is too little for one
    block more (the first in the order of `Limiter` where several are)."""

    blocks_per_sm: int
    warps_per_sm: int
    share: float
    limiter: Limiter


def occupancy(
    limits: Limits, threads: int, shared_bytes: int | None = None, registers: int | None = None
) -> Occupancy | None:
    """Occupancy of blocks of ``threads``; ``shared_bytes`` per block and ``registers`` per thread count where they
    are known, so that the result without them is an upper bound.

    None where the limits do not suffice to tell, and where such a block cannot be launched at all.
    """
    if limits.warp is None or limits.warps_per_sm is None or threads <= 0:
        return None
    if limits.threads_per_block is not None and threads > limits.threads_per_block:
        return None
    warps = -(-threads // limits.warp)
    fits: dict[Limiter, int | None] = {
        "registers": _by_registers(limits, warps, registers),
        "shared memory": _by_shared(limits, shared_bytes),
        "threads": limits.warps_per_sm // warps,
        "blocks": limits.blocks_per_sm,
    }
    known = {limiter: blocks for limiter, blocks in fits.items() if blocks is not None}
    limiter = min(known, key=lambda one: known[one])
    blocks = known[limiter]
    if blocks == 0:
        return None
    return Occupancy(blocks, blocks * warps, blocks * warps / limits.warps_per_sm, limiter)


def with_occupancy(kernel: Kernel) -> Launch | None:
    """The launch of ``kernel`` with what its block size, shared memory and registers leave of the SM, where all of
    the lowering is known and the target's limits are."""
    launch, limits = kernel.launch, limits_of(kernel.target)
    if launch is None or limits is None:
        return launch
    if launch.shared_dynamic_bytes is None or not isinstance(launch.threads_lowered, int):
        return launch
    shared = next((use.bytes for use in launch.memory if use.space == "shared"), 0)
    found = occupancy(limits, launch.threads_lowered, shared, registers_known(kernel, limits))
    if found is None:
        return launch
    return replace(launch, occupancy=found.share, occupancy_limiter=found.limiter, blocks_per_sm=found.blocks_per_sm)


def registers_known(kernel: Kernel, limits: Limits) -> int | None:
    """Registers per thread at launch: the assembler's, else the least that the lowered kernel needs (see above); None
    where nothing is known of them."""
    launch = kernel.launch
    if launch is None or launch.registers is not None:
        return launch.registers if launch is not None else None
    threads = launch.threads_lowered
    if not isinstance(threads, int) or threads <= 0:
        return None
    most = _most(limits, threads)
    set_by_groups = sum(group.threads * (group.registers or 0) for group in launch.warp_groups)
    least = -(-set_by_groups // threads)
    if not any(group.role == "consumer" and group.registers is not None for group in launch.warp_groups):
        least = max(least, *_accumulators(kernel))
    return min(least, most) if least and most else None


def is_bound(launch: Launch) -> bool:
    """Whether the occupancy of ``launch`` is an upper bound: its registers are not known."""
    return launch.occupancy is not None and launch.registers is None


def _accumulators(kernel: Kernel) -> Iterator[int]:
    """Registers per thread of each fragment that a gemm accumulates into; 0 first."""
    yield 0
    names = {operation.detail.get("C") for operation in kernel.operations if operation.kind == "gemm"}
    for buffer in kernel.buffers:
        if buffer.name in names and buffer.layout is not None and buffer.layout.kind == "fragment":
            yield buffer.layout.registers_per_thread or 0


def _most(limits: Limits, threads: int) -> int | None:
    """Registers that each of ``threads`` can have; None where the limits do not tell."""
    if limits.registers_per_block is None or limits.registers_per_thread is None or limits.register_unit is None:
        return None
    if limits.warp is None or limits.partitions is None:
        return None
    warps = _rounded(-(-threads // limits.warp), limits.partitions)
    unit = limits.register_unit
    per_warp = limits.registers_per_block // warps // unit * unit
    return min(limits.registers_per_thread, per_warp // limits.warp)


def _by_registers(limits: Limits, warps: int, registers: int | None) -> int | None:
    unit, partitions = limits.register_unit, limits.partitions
    if not registers or unit is None or partitions is None or limits.registers_per_sm is None or limits.warp is None:
        return None
    if limits.registers_per_thread is not None and registers > limits.registers_per_thread:
        return 0
    per_warp = _rounded(registers * limits.warp, unit)
    if limits.registers_per_block is not None and per_warp * _rounded(warps, partitions) > limits.registers_per_block:
        return 0
    return limits.registers_per_sm // partitions // per_warp * partitions // warps


def _by_shared(limits: Limits, shared_bytes: int | None) -> int | None:
    if shared_bytes is None or limits.shared_per_sm is None:
        return None
    if limits.shared_per_block is not None and shared_bytes > limits.shared_per_block:
        return 0
    taken = _rounded(shared_bytes + (limits.shared_reserved or 0), limits.shared_unit or 1)
    return limits.shared_per_sm // taken if taken else None


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit
