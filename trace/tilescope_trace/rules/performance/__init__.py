"""TS4xx: slower instructions or pipelines than the target offers, and why."""

from __future__ import annotations

from types import ModuleType

from . import (
    barrier_never_arrives,
    coalesced_width_ignored,
    low_occupancy,
    pipeline_not_async,
    slow_gemm_instruction,
    tma_not_used,
    warp_specialization_not_used,
)

CHECKS: tuple[ModuleType, ...] = (
    pipeline_not_async,
    tma_not_used,
    warp_specialization_not_used,
    slow_gemm_instruction,
    coalesced_width_ignored,
    barrier_never_arrives,
    low_occupancy,
)
"""The modules here that read facts, in order of their codes."""
