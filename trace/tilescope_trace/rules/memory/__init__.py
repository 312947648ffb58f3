"""TS2xx: capacity, banks, registers and access to global memory."""

from __future__ import annotations

from types import ModuleType

from . import ascend_capacity, fragment_registers, private_fragment, smem_limit, spills

CHECKS: tuple[ModuleType, ...] = (smem_limit, ascend_capacity, spills, fragment_registers, private_fragment)
"""The modules here that read facts, in order of their codes."""
