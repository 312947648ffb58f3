"""TS3xx: what the compiler accepts and the author did not mean."""

from __future__ import annotations

from types import ModuleType

from . import copy_narrowing, num_stages, python_condition, python_try, python_variable

CHECKS: tuple[ModuleType, ...] = (copy_narrowing, num_stages, python_variable, python_condition, python_try)
"""The modules here that read facts, in order of their codes."""
