"""TS2xx: capacity, banks, registers and access to global memory."""

from __future__ import annotations

from types import ModuleType

from . import (
    ascend_capacity,
    bank_conflict,
    fragment_registers,
    grid_limit,
    narrow_access,
    private_fragment,
    smem_limit,
    spills,
    thread_limit,
    unaligned_rows,
    uncoalesced_access,
)

CHECKS: tuple[ModuleType, ...] = (
    smem_limit,
    ascend_capacity,
    spills,
    fragment_registers,
    private_fragment,
    thread_limit,
    grid_limit,
    bank_conflict,
    uncoalesced_access,
    narrow_access,
    unaligned_rows,
)
"""The modules here that read facts, in order of their codes."""
