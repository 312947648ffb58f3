"""Ascend AI processors: on-chip memories of one core. TileLang's own back end (target ``ascend``) is for Ascend 950;
the others are here for forks and for reference."""

from __future__ import annotations

from .model import Limits, architecture, stated

KIB = 1024
TILELANG = "TileLang 0.1.15, src/ascend/transform/auto_schedule.cc (memory limits of Ascend 950)"
CATLASS = "Huawei CATLASS, include/acot/arch/arch.hpp"
ASCEND_C = "Ascend C API reference, General Restrictions (alignment)"

SIMT_CONTEXT = 32 * KIB
"""What a SIMT vector function takes of UB for the contexts of its threads (TILELANG)."""

_ALIGNMENT = stated(ASCEND_C, dma_alignment=32)

ASCEND: tuple[Limits, ...] = (
    architecture(
        "ascend",
        "Ascend 950",
        stated(
            TILELANG,
            spaces={"ub": 248 * KIB, "l1": 512 * KIB, "l0a": 64 * KIB, "l0b": 64 * KIB, "l0c": 256 * KIB},
        ),
        _ALIGNMENT,
    ),
    architecture(
        "ascend:910b",
        "Ascend 910B (Atlas A2)",
        stated(
            CATLASS,
            spaces={"ub": 192 * KIB, "l1": 512 * KIB, "l0a": 64 * KIB, "l0b": 64 * KIB, "l0c": 128 * KIB},
        ),
        _ALIGNMENT,
    ),
)
