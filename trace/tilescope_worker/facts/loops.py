"""Loops: parallel ones with their thread mapping, and plain ones."""

from __future__ import annotations

import math
from typing import Any

from tilescope_worker.wire.facts import Json

from .ir import Location, as_int, extent, kernel_bodies, location, statements

_LOOP_LAYOUT = "parallel_loop_layout"
_KINDS = ("serial", "parallel", "vectorized", "unrolled", "thread_binding")


def kind(loop: Any) -> str:
    """Name of a ``For``'s kind."""
    return _KINDS[int(loop.kind)]


def is_parallel(stmt: Any) -> bool:
    return type(stmt).__name__ == "For" and kind(stmt) == "parallel"


def read_parallel(loop: Any) -> dict[str, Json]:
    """Extents of ``T.Parallel``, one for each of its loop variables, and the width the author asked for."""
    where = location(loop)
    extents = [extent(loop.extent)]
    inner = loop.body
    while is_parallel(inner) and location(inner) == where:
        extents.append(extent(inner.extent))
        inner = inner.body
    detail: dict[str, Json] = {"extents": extents}
    if "coalesced_width" in loop.annotations:
        detail["coalesced_width"] = extent(loop.annotations["coalesced_width"])
    return detail


def read_plain(loop: Any) -> dict[str, Json]:
    return {"loop": kind(loop), "extent": extent(loop.extent)}


def mappings(mod: Any) -> dict[Location, dict[str, Json]]:
    """Threads and elements per thread that layout inference gave to parallel loops, by their lines."""
    found: dict[Location, dict[str, Json]] = {}
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            if not is_parallel(stmt) or _LOOP_LAYOUT not in stmt.annotations:
                continue
            where = location(stmt)
            if where is not None:
                found.setdefault(where, _mapping(stmt.annotations[_LOOP_LAYOUT]))
    return found


def _mapping(layout: Any) -> dict[str, Json]:
    elements = [as_int(size) for size in layout.get_output_shape()]
    known = [size for size in elements if size is not None]
    return {
        "threads": as_int(layout.get_thread_size()),
        "elements_per_thread": math.prod(known) if len(known) == len(elements) else None,
    }
