"""Matrix multiplications: operands, tile and warp policy."""

from __future__ import annotations

from typing import Any

from tilescope_worker.wire.facts import Json

from .copies import operand
from .ir import as_int, extent


def read(call: Any) -> dict[str, Json]:
    """Facts of a dense GEMM tile operation; every kind of them starts with the same ten arguments:
    A, B, C, transpose_A, transpose_B, M, N, K, warp policy, clear_accum."""
    detail: dict[str, Json] = {}
    for role, argument in zip("ABC", call.args[:3], strict=True):
        detail |= operand(role, argument)
    arguments = call.args
    detail |= {
        "M": extent(arguments[5]),
        "N": extent(arguments[6]),
        "K": extent(arguments[7]),
        "transpose_A": bool(as_int(arguments[3])),
        "transpose_B": bool(as_int(arguments[4])),
        "policy": _policy(as_int(arguments[8])),
        "clear_accum": _flag(arguments[9]),
    }
    return detail


def _policy(number: int | None) -> str | None:
    from tilelang.tileop.base import GemmWarpPolicy

    try:
        return str(GemmWarpPolicy(number).name)
    except ValueError:
        return None


def _flag(expression: Any) -> bool | str:
    """A constant flag, or the condition as printed (``clear_accum=k == 0``)."""
    number = as_int(expression)
    return bool(number) if number is not None else str(extent(expression))
