"""Tile operations by name: kind and facts of each."""

from __future__ import annotations

from typing import Any

from tilescope_worker.wire.facts import Json, OperationKind

from . import copies, gemm
from .ir import as_int, extent, op_name, region_extents


def read(name: str, call: Any) -> tuple[OperationKind, dict[str, Json]]:
    """Kind and facts of the tile operation ``name`` (as in ``tl.tileop.NAME``)."""
    if name.endswith("copy") or name in ("im2col", "c2d_im2col"):
        return "copy", _named(name, "copy") | copies.read(call)
    if "gemm" in name:
        # A sparse GEMM has its metadata operand in front of C and further arguments of its own.
        detail = {} if "gemm_sp" in name else gemm.read(call)
        return "gemm", _named(name, "gemm") | detail
    if name == "fill":
        detail = copies.operand("dst", call.args[0]) | {"value": _value(call.args[1])}
        return "fill", detail | {"tile": list(region_extents(call.args[0]))}
    if name == "reduce":
        return "reduce", copies.read(call) | {
            "reduce": str(call.args[2].value),
            "dim": extent(call.args[3]),
            "clear": bool(as_int(call.args[4])),
        }
    if name.startswith("atomic"):
        return "atomic", {"atomic": name[len("atomic") :]} | copies.read(call)
    return "other", {"operation": name} | copies.read(call)


def atomic_name(expression: Any) -> str:
    """Name of an element-wise atomic operation (``atomic_add_elem_op`` is ``add``), the empty string for others."""
    name = op_name(expression).rpartition(".")[2]
    return name[len("atomic_") :].removesuffix("_elem_op") if name.startswith("atomic_") else ""


def read_atomic(call: Any) -> dict[str, Json]:
    """Facts of an element-wise atomic operation; its first argument is the address of the element."""
    detail: dict[str, Json] = {"atomic": atomic_name(call)}
    address = call.args[0]
    if op_name(address).endswith("access_ptr"):
        detail |= copies.operand("dst", address.args[0])
    return detail


def _named(name: str, usual: str) -> dict[str, Json]:
    return {} if name == usual else {"operation": name}


def _value(expression: Any) -> Json:
    number = as_int(expression)
    if number is not None:
        return number
    constant = getattr(expression, "value", None)
    return float(constant) if isinstance(constant, float) else str(extent(expression))
