"""The on-chip memories of a kernel: what is in them, how much room there is, and what shares a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilescope_trace.limits import Limits, limits_of
from tilescope_trace.model import Access, Buffer, BufferRecord, Kernel, Launch
from tilescope_trace.rules.memory.room import registers_of
from tilescope_trace.store.read import Recording

from .shapes import MemoryBuffer, MemorySpace

_ASCEND = {"shared.l1": "l1", "shared.l0a": "l0a", "shared.l0b": "l0b", "shared.l0c": "l0c"}
REGISTERS = "registers"


def spaces_of(kernel: Kernel, recording: Recording | None) -> tuple[MemorySpace, ...]:
    """The memories that the kernel takes something of. A recording of it tells where merged buffers lie."""
    merged = _merged(recording) if recording is not None else {}
    ascend = kernel.target.startswith("ascend")
    inside: dict[str, list[MemoryBuffer]] = {}
    for buffer in kernel.buffers:
        space = _space(buffer, ascend=ascend)
        if space is not None:
            inside.setdefault(space, []).append(_entry(buffer, kernel.accesses, merged))
    limits, launch = limits_of(kernel.target), kernel.launch or Launch()
    for use in launch.memory:
        inside.setdefault(use.space, [])
    return tuple(_filled(name, buffers, launch, limits) for name, buffers in inside.items())


def _filled(name: str, buffers: list[MemoryBuffer], launch: Launch, limits: Limits | None) -> MemorySpace:
    if name == REGISTERS:
        declared = _sum(buffer.registers for buffer in buffers)
        used = launch.registers if launch.registers is not None else launch.fragment_registers
        capacity = limits.registers_per_thread if limits is not None else None
        return MemorySpace(name, "registers per thread", used, declared, capacity, tuple(buffers))
    use = next((use for use in launch.memory if use.space == name), None)
    declared = use.declared_bytes if use is not None else _sum(buffer.bytes for buffer in buffers)
    capacity = None
    if limits is not None:
        capacity = limits.shared_per_block if name == "shared" else limits.spaces.get(name)
    return MemorySpace(name, "bytes", use.bytes if use is not None else None, declared, capacity, tuple(buffers))


def _space(buffer: Buffer, *, ascend: bool) -> str | None:
    """The memory that a buffer of this scope is in; None for global memory and scopes with no room of their own."""
    scope = buffer.scope.removesuffix(".dyn")
    if scope in ("local", "local.fragment"):
        return REGISTERS
    if ascend:
        return "ub" if scope == "shared" else _ASCEND.get(scope)
    return "shared" if scope in ("shared", "shared.barrier", "shared.cluster_barrier") else None


def _entry(buffer: Buffer, accesses: Iterable[Access], merged: Mapping[str, BufferRecord]) -> MemoryBuffer:
    lines = [access.line for access in accesses if access.buffer == buffer.name and access.line is not None]
    place = merged.get(buffer.name)
    return MemoryBuffer(
        buffer.name,
        buffer.line,
        buffer.column,
        buffer.scope,
        buffer.dtype,
        buffer.shape,
        buffer.stages,
        buffer.bytes,
        min(lines, default=None),
        max(lines, default=None),
        place.offset if place is not None else None,
        place.inside if place is not None else None,
        registers_of(buffer),
    )


def _merged(recording: Recording) -> dict[str, BufferRecord]:
    """The buffers that were merged into a larger one, by their name in Python."""
    found: dict[str, BufferRecord] = {}
    for record in recording.passes:
        if record.changed and record.after is not None:
            for state in recording.buffers(record.after):
                if state.inside is not None:
                    found.setdefault(state.name, state)
    return found


def _sum(sizes: Iterable[int | None]) -> int | None:
    known = list(sizes)
    return None if None in known else sum(size for size in known if size is not None)
