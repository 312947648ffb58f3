"""TS4xx: slower instructions or pipelines than the target offers, and why."""

from __future__ import annotations

from types import ModuleType

CHECKS: tuple[ModuleType, ...] = ()
"""The modules here that read facts, in order of their codes."""
