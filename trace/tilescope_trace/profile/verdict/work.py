"""The arithmetic of a recorded kernel's matrix products, counted from its tile operations."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.model import Kernel
from tilescope_trace.store.read import Recording
from tilescope_worker.wire.facts import Operation

HALF = ("float16", "bfloat16")
"""Types of operands for which a peak is known (limits: dense matrix arithmetic on 16-bit floats)."""


@dataclass(frozen=True)
class Work:
    """``flop`` of one launch, two a multiply-add; ``dtype`` of the operands."""

    flop: int
    dtype: str


def work_of(recording: Recording) -> Work | None:
    """None where there are no matrix products, where an extent is not known, or where their types differ."""
    kernel = recording.info.kernel
    products = [operation for operation in kernel.operations if operation.kind == "gemm"]
    blocks = _blocks(kernel)
    types = {operation.detail.get("A_dtype") for operation in products}
    if not products or blocks is None or len(types) != 1:
        return None
    loops = _loops(recording)
    total = 0
    for operation in products:
        times = _times(operation, kernel, loops)
        tile = [operation.detail.get(name) for name in "MNK"]
        if times is None or not all(isinstance(extent, int) for extent in tile):
            return None
        total += 2 * math.prod(extent for extent in tile if isinstance(extent, int)) * times * blocks
    return Work(total, str(types.pop()))


def _blocks(kernel: Kernel) -> int | None:
    grid = kernel.launch.grid if kernel.launch is not None else None
    whole = [extent for extent in grid or () if isinstance(extent, int)]
    return math.prod(whole) if grid and len(whole) == len(grid) else None


def _times(operation: Operation, kernel: Kernel, loops: list[tuple[int, int]]) -> int | None:
    """How often a block runs an operation; None where a loop around it has no known extent, or it lies in a macro."""
    if operation.line is None or operation.called_from:
        return None
    extents = {one.line: one.detail.get("extent") for one in kernel.operations if one.kind == "pipeline"}
    times = 1
    for first, last in loops:
        if first < operation.line <= last:
            extent = extents.get(first)
            if not isinstance(extent, int):
                return None
            times *= extent
    return times


def _loops(recording: Recording) -> list[tuple[int, int]]:
    """First and last lines of the loops of the kernel's file."""
    sources = recording.sources()
    try:
        tree = ast.parse(sources[0].text) if sources else None
    except (SyntaxError, ValueError):
        tree = None
    return list(_of_tree(tree)) if tree is not None else []


def _of_tree(tree: ast.AST) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.While)):
            yield node.lineno, node.end_lineno or node.lineno
