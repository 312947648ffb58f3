"""TS5xx: other targets and other TileLang versions."""

from __future__ import annotations

from types import ModuleType

from . import architecture_required

CHECKS: tuple[ModuleType, ...] = (architecture_required,)
"""The modules here that read facts, in order of their codes."""
