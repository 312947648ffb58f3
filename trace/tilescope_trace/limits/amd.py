"""AMD GPUs by LLVM target name. An *SM* here is a compute unit (CDNA) or a workgroup processor (RDNA)."""

from __future__ import annotations

from .model import Limits, Peak, architecture, stated

KIB = 1024
SPECIFICATIONS = "ROCm documentation, AMD GPU specifications"
LLVM = "LLVM User Guide for AMDGPU Backend, and its AMDGPUBaseInfo.cpp"
HIP = "HIP documentation, hardware implementation"

_COMMON = stated(HIP, threads_per_block=1024)
_CDNA = (
    _COMMON,
    stated(SPECIFICATIONS, warp=64, shared_per_block=64 * KIB, shared_static=64 * KIB, shared_per_sm=64 * KIB),
    # A SIMD holds 8 waves and 512 vector registers per lane (accumulation registers among them); a CU has 4 SIMDs.
    stated(
        LLVM,
        warps_per_sm=32,
        threads_per_sm=32 * 64,
        partitions=4,
        registers_per_thread=512,
        registers_per_sm=4 * 512 * 64,
        register_unit=8 * 64,
    ),
)
_LARGE_LDS = stated(SPECIFICATIONS, shared_per_block=160 * KIB, shared_static=160 * KIB, shared_per_sm=160 * KIB)
_RDNA3 = (
    _COMMON,
    stated(SPECIFICATIONS, warp=32, shared_per_sm=128 * KIB),
    # Wave32: a SIMD holds 16 waves and 1536 vector registers per lane, handed out in 24s; a WGP has 4 SIMDs.
    stated(
        LLVM,
        shared_per_block=64 * KIB,
        shared_static=64 * KIB,
        warps_per_sm=64,
        threads_per_sm=64 * 32,
        partitions=4,
        registers_per_thread=256,
        registers_per_sm=4 * 1536 * 32,
        register_unit=24 * 32,
    ),
)

AMD: tuple[Limits, ...] = (
    architecture(
        "hip:gfx90a", "CDNA 2", *_CDNA, peaks=(Peak("MI250X", "AMD Instinct MI250X data sheet", 383, 3276.8),)
    ),
    architecture(
        "hip:gfx942",
        "CDNA 3",
        *_CDNA,
        peaks=(
            Peak("MI300X", "AMD Instinct MI300X data sheet", 1307.4, 5300),
            Peak("MI325X", "AMD Instinct MI325X data sheet", 1307.4, 6000),
        ),
    ),
    architecture(
        "hip:gfx950",
        "CDNA 4",
        *_CDNA,
        _LARGE_LDS,
        peaks=(Peak("MI355X", "AMD Instinct MI355X data sheet", 2516.6, 8000),),
    ),
    architecture(
        "hip:gfx1100",
        "RDNA 3",
        *_RDNA3,
        peaks=(Peak("Radeon RX 7900 XTX", "AMD Radeon RX 7900 XTX product page", 122.8, 960),),
    ),
)
