"""TS2xx: capacity, banks, registers and access to global memory."""

from __future__ import annotations

from types import ModuleType

CHECKS: tuple[ModuleType, ...] = ()
"""The modules here that read facts, in order of their codes."""
