"""NVIDIA GPUs by compute capability."""

from __future__ import annotations

from .model import Limits, Peak, Stated, architecture, stated

KIB = 1024
GUIDE = "CUDA Programming Guide, appendix Compute Capabilities"
GUIDE_12 = "CUDA C++ Programming Guide 12, section Technical Specifications per Compute Capability"
OCCUPANCY = "cuda_occupancy.h of the CUDA Toolkit 13.0"
PTX = "PTX ISA, section Tensor Memory"

_COMMON = stated(
    GUIDE,
    threads_per_block=1024,
    warp=32,
    grid=(2**31 - 1, 65535, 65535),
    barriers=16,
    registers_per_thread=255,
    registers_per_block=64 * KIB,
    registers_per_sm=64 * KIB,
    shared_static=48 * KIB,
    banks=32,
    bank_bytes=4,
)
_ALLOCATION_7 = stated(OCCUPANCY, register_unit=256, partitions=4, shared_unit=256, shared_reserved=0)
_ALLOCATION = stated(OCCUPANCY, register_unit=256, partitions=4, shared_unit=128)
_RESERVED = stated(GUIDE, shared_reserved=KIB)
_CLUSTERS = stated(GUIDE, cluster=8)
_TENSOR_MEMORY = stated(PTX, tensor_memory_columns=512)
_NO_TENSOR_MEMORY = stated(PTX, tensor_memory_columns=0)


def _sizes(warps: int, blocks: int, per_sm: int, per_block: int, document: str = GUIDE) -> Stated:
    """Warps and blocks per SM, shared memory (KiB) per SM and per block."""
    return stated(
        document,
        warps_per_sm=warps,
        threads_per_sm=warps * 32,
        blocks_per_sm=blocks,
        shared_per_sm=per_sm * KIB,
        shared_per_block=per_block * KIB,
    )


_PEAKS = {
    "70": (Peak("V100 SXM2", "NVIDIA V100 datasheet", 125, 900),),
    "75": (Peak("T4", "NVIDIA T4 datasheet", 65),),
    "80": (Peak("A100 SXM 80 GB", "NVIDIA A100 datasheet", 312, 2039),),
    "86": (Peak("A40", "NVIDIA A40 datasheet", 149.7, 696),),
    "87": (Peak("Jetson AGX Orin 64 GB", "Jetson AGX Orin technical brief", None, 204.8),),
    "89": (Peak("L40S", "NVIDIA L40S datasheet", 362, 864),),
    "90": (
        Peak("H100 SXM", "NVIDIA H100 datasheet", 989, 3350),
        Peak("H200 SXM", "NVIDIA H200 datasheet", 989, 4800),
    ),
    "100": (Peak("B200", "NVIDIA HGX B200 datasheet", 2250, 8000),),
    "120": (Peak("RTX PRO 6000 Blackwell", "RTX PRO 6000 Blackwell datasheet", None, 1792),),
}


def _capability(number: str, generation: str, *parts: Stated) -> Limits:
    name = f"compute capability {number[:-1]}.{number[-1]} ({generation})"
    return architecture(f"cuda:sm_{number}", name, _COMMON, *parts, peaks=_PEAKS.get(number, ()))


def _ampere(number: str, generation: str, sizes: Stated) -> Limits:
    return _capability(number, generation, sizes, _ALLOCATION, _RESERVED, _NO_TENSOR_MEMORY)


def _blackwell(number: str, sizes: Stated, tensor_memory: Stated) -> Limits:
    return _capability(number, "Blackwell", sizes, _ALLOCATION, _RESERVED, _CLUSTERS, tensor_memory)


NVIDIA: tuple[Limits, ...] = (
    _capability("70", "Volta", _sizes(64, 32, 96, 96, GUIDE_12), _ALLOCATION_7, _NO_TENSOR_MEMORY),
    _capability("72", "Volta", _sizes(64, 32, 96, 96, GUIDE_12), _ALLOCATION_7, _NO_TENSOR_MEMORY),
    _capability("75", "Turing", _sizes(32, 16, 64, 64), _ALLOCATION_7, _NO_TENSOR_MEMORY),
    _ampere("80", "Ampere", _sizes(64, 32, 164, 163)),
    _ampere("86", "Ampere", _sizes(48, 16, 100, 99)),
    _ampere("87", "Ampere", _sizes(48, 16, 164, 163)),
    _ampere("89", "Ada", _sizes(48, 24, 100, 99)),
    _capability("90", "Hopper", _sizes(64, 32, 228, 227), _ALLOCATION, _RESERVED, _CLUSTERS, _NO_TENSOR_MEMORY),
    _blackwell("100", _sizes(64, 32, 228, 227), _TENSOR_MEMORY),
    _blackwell("103", _sizes(64, 32, 228, 227), _TENSOR_MEMORY),
    _blackwell("110", _sizes(48, 24, 228, 227), _TENSOR_MEMORY),
    _blackwell("120", _sizes(48, 24, 100, 99), _NO_TENSOR_MEMORY),
    _blackwell("121", _sizes(48, 24, 100, 99), _NO_TENSOR_MEMORY),
)
