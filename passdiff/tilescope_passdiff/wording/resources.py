"""What a kernel takes of the machine, in labelled lines."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import Limits, limits_of
from tilescope_trace.model import Kernel, Launch, MemoryUse
from tilescope_trace.occupancy import is_bound


def resource_heads(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """Memories beside their limits, registers, specialized warps, occupancy; cores and events of Ascend."""
    launch = kernel.launch
    if launch is None:
        return
    limits = limits_of(kernel.target)
    if launch.memory:
        yield "memory", ", ".join(_memory(use, limits) for use in launch.memory)
    if text := _registers(launch):
        yield "registers", text
    if launch.warp_groups:
        yield (
            "warps",
            ", ".join(
                f"{group.threads} {group.role} threads"
                + (f" with {group.registers} registers" if group.registers is not None else "")
                for group in launch.warp_groups
            ),
        )
    if launch.cluster is not None:
        yield "cluster", f"{' × '.join(map(str, launch.cluster))} blocks"
    if launch.barriers is not None or launch.tensor_memory_columns is not None:
        parts = [f"{launch.barriers} mbarriers"] if launch.barriers is not None else []
        if launch.tensor_memory_columns is not None:
            parts.append(f"{launch.tensor_memory_columns} columns of tensor memory")
        yield "barriers", ", ".join(parts)
    if launch.occupancy is not None:
        yield "occupancy", _occupancy(launch)
    if launch.cores:
        yield "cores", " and ".join(launch.cores)
    if launch.flags:
        yield "flags", ", ".join(f"{flag.event} set {flag.sets}×, awaited {flag.waits}×" for flag in launch.flags)


def percent(share: float) -> str:
    """A share of 1, ``18.75%``."""
    return f"{100 * share:g}%"


def _memory(use: MemoryUse, limits: Limits | None) -> str:
    """``l1 32768 B of 524288 B``, ``shared 49200 B of 232448 B (65536 B before merging)``."""
    limit = None
    if limits is not None:
        limit = limits.shared_per_block if use.space == "shared" else limits.spaces.get(use.space)
    of = f" of {limit} B" if limit is not None else ""
    merged = use.declared_bytes is not None and use.declared_bytes > use.bytes
    return f"{use.space} {use.bytes} B{of}" + (f" ({use.declared_bytes} B before merging)" if merged else "")


def _registers(launch: Launch) -> str:
    parts = []
    if launch.registers is not None:
        parts.append(f"{launch.registers} per thread")
        parts.append(f"{launch.spill_bytes} B spilled" if launch.spill_bytes else "no spills")
        if launch.stack_bytes:
            parts.append(f"{launch.stack_bytes} B of stack")
    if launch.fragment_registers is not None:
        parts.append(f"fragments and operands need {launch.fragment_registers} at once")
    return ", ".join(parts)


def _occupancy(launch: Launch) -> str:
    bound = "at most " if is_bound(launch) else ""
    blocks = f"{launch.blocks_per_sm} block{'s' * (launch.blocks_per_sm != 1)} per SM"
    return f"{bound}{percent(launch.occupancy or 0)}, {blocks}, limited by {launch.occupancy_limiter}"
