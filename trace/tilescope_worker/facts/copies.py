"""Copies: what is moved from where to where."""

from __future__ import annotations

from typing import Any

from tilescope_worker.wire.facts import Json

from .ir import as_int, region_buffer, region_extents


def read(call: Any) -> dict[str, Json]:
    """Source, destination and tile of a copy-like tile operation: its first argument is read, its second written."""
    detail: dict[str, Json] = {}
    for role, argument in zip(("src", "dst"), call.args[:2], strict=True):
        detail |= operand(role, argument)
    if region_buffer(call.args[1]) is not None:
        detail["tile"] = list(region_extents(call.args[1]))
    width = _annotation(call, "coalesced_width")
    if width is not None:
        detail["coalesced_width"] = width
    return detail


def _annotation(call: Any, key: str) -> int | None:
    """A number that the author gave to a tile operation by keyword."""
    annotations = getattr(call, "annotations", None)
    return as_int(annotations[key]) if annotations is not None and key in annotations else None


def operand(role: str, argument: Any) -> dict[str, Json]:
    """Name, scope and element type of a buffer operand; nothing for an operand that is no buffer region."""
    buffer = region_buffer(argument)
    return {} if buffer is None else named(role, buffer)


def named(role: str, buffer: Any) -> dict[str, Json]:
    """Name, scope and element type of ``buffer`` under the keys of ``role``."""
    return {role: str(buffer.name), f"{role}_scope": str(buffer.scope()), f"{role}_dtype": str(buffer.dtype)}
