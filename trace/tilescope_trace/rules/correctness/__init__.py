"""TS3xx: what the compiler accepts and the author did not mean."""

from __future__ import annotations

from types import ModuleType

from . import num_stages

CHECKS: tuple[ModuleType, ...] = (num_stages,)
"""The modules here that read facts, in order of their codes."""
