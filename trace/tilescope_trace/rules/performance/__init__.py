"""TS4xx: slower instructions or pipelines than the target offers, and why."""

from __future__ import annotations

from types import ModuleType

from . import low_occupancy

CHECKS: tuple[ModuleType, ...] = (low_occupancy,)
"""The modules here that read facts, in order of their codes."""
