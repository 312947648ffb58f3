"""Apple GPUs and WebGPU."""

from __future__ import annotations

from .model import Limits, architecture, stated

KIB = 1024
METAL = "Apple, Metal Feature Set Tables (families Apple7 and later)"
METAL_GUIDE = "Apple, Metal documentation, Calculating threadgroup and grid sizes"
WEBGPU = "W3C WebGPU, section Limits (default limits; a device may offer more when asked)"

OTHERS: tuple[Limits, ...] = (
    architecture(
        "metal",
        "Apple7 and later",
        stated(METAL, threads_per_block=1024, shared_static=32 * KIB, shared_per_block=32 * KIB),
        stated(METAL_GUIDE, warp=32),
    ),
    architecture(
        "webgpu",
        "default limits",
        stated(
            WEBGPU,
            threads_per_block=256,
            grid=(65535, 65535, 65535),
            shared_static=16 * KIB,
            shared_per_block=16 * KIB,
        ),
    ),
)
