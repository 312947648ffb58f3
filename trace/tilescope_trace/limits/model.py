"""The limits of one architecture. ``None`` is unknown: no document of the vendor's that we know states it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Peak:
    """Peak rates of one product: dense matrix arithmetic on 16-bit floats, and memory bandwidth."""

    device: str
    document: str
    fp16_tflops: float | None = None
    bandwidth_gb_s: float | None = None


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, registers of 32 bits. A *block* is a thread block, workgroup or threadgroup; an *SM* a
    streaming multiprocessor, compute unit or (RDNA) workgroup processor; a *warp* a wavefront or SIMD group.

    ``shared_static`` is what a block may declare, ``shared_per_block`` the most that it can be launched with (NVIDIA:
    opt-in, dynamic), ``shared_reserved`` what the system takes of each block beside, ``shared_unit`` what allocations
    are rounded up to. ``register_unit`` is the same for the registers of one warp; ``partitions`` divide an SM's
    registers and warps evenly. ``spaces`` are the on-chip memories of an Ascend core (``ub``, ``l1``, ``l0a``,
    ``l0b``, ``l0c``). ``documents`` names for each number, by field (``spaces.ub``), the document that states it.
    """

    target: str
    name: str
    threads_per_block: int | None = None
    threads_per_sm: int | None = None
    warp: int | None = None
    warps_per_sm: int | None = None
    blocks_per_sm: int | None = None
    partitions: int | None = None
    grid: tuple[int, int, int] | None = None
    cluster: int | None = None
    barriers: int | None = None
    registers_per_thread: int | None = None
    registers_per_block: int | None = None
    registers_per_sm: int | None = None
    register_unit: int | None = None
    shared_static: int | None = None
    shared_per_block: int | None = None
    shared_per_sm: int | None = None
    shared_reserved: int | None = None
    shared_unit: int | None = None
    banks: int | None = None
    bank_bytes: int | None = None
    tensor_memory_columns: int | None = None
    dma_alignment: int | None = None
    spaces: dict[str, int] = field(default_factory=dict)
    peaks: tuple[Peak, ...] = ()
    documents: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stated:
    """Numbers that one document states, by field."""

    document: str
    numbers: dict[str, Any]


def stated(document: str, **numbers: Any) -> Stated:
    """``numbers`` as ``document`` states them; ``spaces`` is a dictionary."""
    return Stated(document, numbers)


def architecture(target: str, name: str, *parts: Stated, peaks: tuple[Peak, ...] = ()) -> Limits:
    """The limits that ``parts`` state together; a later part wins."""
    numbers: dict[str, Any] = {}
    documents: dict[str, str] = {}
    for part in parts:
        for key, value in part.numbers.items():
            if isinstance(value, dict):
                numbers[key] = {**numbers.get(key, {}), **value}
                documents |= {f"{key}.{inner}": part.document for inner in value}
            else:
                numbers[key] = value
                documents[key] = part.document
    return Limits(target, name, **numbers, peaks=peaks, documents=documents)
