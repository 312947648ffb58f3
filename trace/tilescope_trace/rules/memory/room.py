"""The registers that one thread can have, and those that its part of a buffer needs."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_trace.limits import Limits, limits_of
from tilescope_trace.rules.check import Subject
from tilescope_worker.wire.facts import Buffer, Launch

UNIT = 8
"""Registers per thread are given in eights."""


@dataclass(frozen=True)
class Room:
    """Registers that a thread can have, and why they are fewer than the architecture allows (empty: they are not)."""

    registers: int
    reason: str


def room_of(subject: Subject) -> Room | None:
    """The room of the kernel's threads; None where its target's limits are not known."""
    launch, limits = subject.kernel.launch, limits_of(subject.architecture)
    return _room(limits, launch) if limits is not None and launch is not None else None


def _room(limits: Limits, launch: Launch) -> Room | None:
    most = limits.registers_per_thread
    if most is None:
        return None
    given = [group.registers for group in launch.warp_groups if group.registers is not None]
    if given:
        return Room(min(most, max(given)), f" (setmaxnreg {max(given)})" if max(given) < most else "")
    threads, block = launch.threads_lowered, limits.registers_per_block or limits.registers_per_sm
    if not isinstance(threads, int) or block is None or limits.warp is None or threads <= 0:
        return Room(most, "")
    warps = -(-threads // limits.warp)
    share = block // (warps * limits.warp) // UNIT * UNIT
    if share == 0:
        return None  # so many threads cannot be launched at all
    return Room(share, f" with {threads} threads") if share < most else Room(most, "")


def registers_of(buffer: Buffer) -> int | None:
    """32-bit registers per thread of a fragment or of a thread's own array; None for other buffers."""
    if buffer.layout is not None and buffer.layout.kind == "fragment":
        return buffer.layout.registers_per_thread
    if buffer.scope == "local" and buffer.bytes is not None:
        return -(-buffer.bytes // 4)
    return None


def is_in_every_thread(buffer: Buffer) -> bool:
    """Whether each thread holds all elements of a fragment, so that spreading it over more threads saves nothing."""
    layout = buffer.layout
    return (
        layout is not None
        and layout.threads is not None
        and layout.threads > 1
        and layout.replicate == layout.threads
    )
