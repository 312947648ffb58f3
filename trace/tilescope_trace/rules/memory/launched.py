"""What the rules on capacity share: buffers of one memory with their sizes, in words."""

from __future__ import annotations

from collections.abc import Iterable

from tilescope_worker.wire.facts import Buffer, Launch, MemoryUse

BY_DEFAULT = frozenset({"webgpu"})
"""Targets whose limits are those of a device which is not asked for more."""


def use_of(launch: Launch | None, space: str) -> MemoryUse | None:
    """What a block takes of the memory ``space``, None where it takes nothing or that is not known."""
    return next((use for use in launch.memory if use.space == space), None) if launch is not None else None


def largest_first(buffers: Iterable[Buffer], scopes: frozenset[str]) -> list[Buffer]:
    """The buffers of the given scopes whose size is known."""
    found = [buffer for buffer in buffers if buffer.scope in scopes and buffer.bytes]
    return sorted(found, key=lambda buffer: -(buffer.bytes or 0))


def size_text(buffer: Buffer) -> str:
    """``A_s 98304 B (3 stages of 32768 B)``."""
    stages = f" ({buffer.stages} stages of {(buffer.bytes or 0) // buffer.stages} B)" if buffer.stages > 1 else ""
    return f"{buffer.name} {buffer.bytes} B{stages}"


def architecture_text(target: str) -> str:
    """What people call a target: ``sm_90a``, ``gfx942``, ``metal``."""
    return target.partition(":")[2] or target
