"""TS5xx: other targets and other TileLang versions."""

from __future__ import annotations

from types import ModuleType

CHECKS: tuple[ModuleType, ...] = ()
"""The modules here that read facts, in order of their codes."""
