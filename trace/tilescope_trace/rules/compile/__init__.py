"""TS1xx: the compiler fails, located in the terms of the kernel."""

from __future__ import annotations

from types import ModuleType

from . import left_of_kernel

CHECKS: tuple[ModuleType, ...] = (left_of_kernel,)
"""The modules here that also find their fault where the compiler does not fail."""
