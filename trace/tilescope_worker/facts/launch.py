"""Launch geometry: grid and threads, as written and as lowered."""

from __future__ import annotations

import math
from typing import Any

from tilescope_worker.wire.facts import Extent, Launch

from .ir import Location, extent, line_in, location, prim_funcs, statements

_AXES = ("x", "y", "z")
_LARGEST_GRID = {"cuda": ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)}
_LAUNCH_THREADS = "tl.launch_threads"


def written(func: Any, path: str) -> Launch:
    """Grid and threads per block of a fresh PrimFunc, with the line of ``T.Kernel``.

    Of a PrimFunc with several kernels, the first is described.
    """
    extents, where = _extents(func.body)
    return Launch(grid=_grid(extents), threads=_threads(extents), line=line_in(path, where))


def notes(func: Any, launch: Launch | None, target_kind: str) -> tuple[str, ...]:
    """What is to be said about the launches of a fresh PrimFunc, the first of which is ``launch``."""
    said = []
    blocks = [stmt for stmt in statements(func.body) if _binding(stmt)[0] == "blockIdx.x"]
    if len(blocks) > 1:
        said.append(f"{len(blocks)} launches: the first is described")
    grid = launch.grid if launch is not None and launch.grid is not None else ()
    most = _LARGEST_GRID.get(target_kind, (math.inf,) * len(_AXES))
    if any(isinstance(size, int) and not 1 <= size <= limit for size, limit in zip(grid, most, strict=False)):
        said.append(f"grid {' × '.join(map(str, grid))} is not launchable")
    return tuple(said)


def threads_of(mod: Any) -> Extent | None:
    """Threads per block of the kernel in a module under way; None where there are several that differ, since device
    functions come in no order."""
    every = (_threads(_device_extents(func) or _extents(func.body)[0]) for func in prim_funcs(mod))
    found = {threads for threads in every if threads is not None}
    return found.pop() if len(found) == 1 else None


def runs_without_threads(device_mod: Any) -> bool:
    """Whether the device functions are launched without any block or thread, as plain C is."""
    extents = [(func.attrs or {}).get("thread_extent") for func in prim_funcs(device_mod)]
    return bool(extents) and all(one is not None and not len(one) for one in extents)


def _device_extents(func: Any) -> dict[str, Extent]:
    attributes = func.attrs or {}
    return {str(tag): extent(size) for tag, size in attributes.get("thread_extent", {}).items()}


def _extents(body: Any) -> tuple[dict[str, Extent], Location | None]:
    found: dict[str, Extent] = {}
    where: Location | None = None
    for stmt in statements(body):
        tag, size = _binding(stmt)
        if tag in found:
            break  # the next kernel of the same PrimFunc
        if tag is not None:
            found[tag] = extent(size)
            where = where or location(stmt)
        annotations = getattr(stmt, "annotations", None) if type(stmt).__name__ == "SBlock" else None
        if annotations and _LAUNCH_THREADS in annotations and "threadIdx.x" not in found:
            sizes = annotations[_LAUNCH_THREADS]
            found |= {f"threadIdx.{axis}": extent(size) for axis, size in zip(_AXES, sizes, strict=True)}
    return found, where


def _binding(stmt: Any) -> tuple[str | None, Any]:
    """Thread axis and extent that a statement binds: a loop before the launch is materialized, an attribute after."""
    if type(stmt).__name__ == "For" and stmt.thread_binding is not None:
        return str(stmt.thread_binding.thread_tag), stmt.extent
    if type(stmt).__name__ == "AttrStmt" and stmt.attr_key == "thread_extent":
        return str(stmt.node.thread_tag), stmt.value
    return None, None


def _grid(extents: dict[str, Extent]) -> tuple[Extent, ...] | None:
    sizes = [extents[f"blockIdx.{axis}"] for axis in _AXES if f"blockIdx.{axis}" in extents]
    return tuple(sizes) or None


def _threads(extents: dict[str, Extent]) -> Extent | None:
    sizes = [extents[f"threadIdx.{axis}"] for axis in _AXES if f"threadIdx.{axis}" in extents]
    if not sizes:
        return None
    numbers = [size for size in sizes if isinstance(size, int)]
    if len(numbers) == len(sizes):
        return math.prod(numbers)
    return " * ".join(str(size) for size in sizes if size != 1)
