"""What keeps a copy from the instructions that move whole rows."""

from __future__ import annotations

from tilescope_trace.source.dtypes import bits
from tilescope_worker.wire.facts import Operation

from .check import Subject

TMA_BYTES = 16
"""Rows and strides of a copy by TMA are multiples of 16 bytes (CUDA driver API, cuTensorMapEncodeTiled)."""
ASYNC_BYTES = 4
"""cp.async moves 4, 8 or 16 bytes (PTX ISA, cp.async)."""


def against_tma(subject: Subject, copy: Operation) -> str | None:
    """Why TMA cannot do a load from global to shared memory, None where nothing is known against it."""
    cast = against_cast(copy)
    if cast is not None:
        return cast
    row = _row_bytes(copy)
    if row is not None and row % TMA_BYTES:
        return f"its rows of {row} bytes are no multiple of {TMA_BYTES}"
    stride = _stride_bytes(subject, copy)
    if stride is not None and stride % TMA_BYTES:
        return f"rows of {copy.detail['src']} are {stride} bytes apart, no multiple of {TMA_BYTES}"
    return None


def against_async(copy: Operation) -> str | None:
    """Why cp.async cannot do a copy, None where nothing is known against it."""
    if copy.detail.get("dst_scope") not in ("shared", "shared.dyn"):
        return f"{copy.detail.get('dst')} is in registers"
    cast = against_cast(copy)
    if cast is not None:
        return cast
    width = copy.detail.get("vector_bytes")
    if isinstance(width, int) and width < ASYNC_BYTES:
        return f"{width} bytes lie together, and cp.async moves at least {ASYNC_BYTES}"
    return None


def against_cast(copy: Operation) -> str | None:
    """The dtypes, where they differ."""
    before, after = copy.detail.get("src_dtype"), copy.detail.get("dst_dtype")
    return f"it casts {before} to {after}" if before != after else None


def _row_bytes(copy: Operation) -> int | None:
    tile, width = copy.detail.get("tile"), bits(str(copy.detail.get("src_dtype")))
    if not isinstance(tile, list) or not tile or not isinstance(tile[-1], int) or width is None:
        return None
    return tile[-1] * width // 8 if tile[-1] * width % 8 == 0 else None


def _stride_bytes(subject: Subject, copy: Operation) -> int | None:
    """Bytes between neighbouring rows of the tensor that a copy reads, where it is dense and has more than one."""
    tensor, width = subject.buffer(copy.detail.get("src")), bits(str(copy.detail.get("src_dtype")))
    if tensor is None or width is None or len(tensor.shape) < 2 or not isinstance(tensor.shape[-1], int):
        return None
    return tensor.shape[-1] * width // 8
