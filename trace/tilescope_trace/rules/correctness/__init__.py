"""TS3xx: what the compiler accepts and the author did not mean."""

from __future__ import annotations

from types import ModuleType

from . import (
    copy_narrowing,
    fill_slice,
    grid_coverage,
    num_stages,
    out_of_bounds,
    parallel_extent,
    parallel_race,
    part_not_written,
    partial_init,
    python_condition,
    python_try,
    python_variable,
    serial_fragment,
    tail_not_covered,
    uninitialized_read,
)

CHECKS: tuple[ModuleType, ...] = (
    out_of_bounds,
    serial_fragment,
    parallel_race,
    parallel_extent,
    partial_init,
    tail_not_covered,
    grid_coverage,
    fill_slice,
    part_not_written,
    uninitialized_read,
    copy_narrowing,
    num_stages,
    python_condition,
    python_try,
    python_variable,
)
"""The modules here that read facts, in order of their codes."""
