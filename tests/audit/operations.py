"""Facts of operations: the calls in the generated source that come from their lines, template arguments, and the
arithmetic of the arguments as written."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tilescope_worker.wire.facts import Operation

from .buffers import _cases
from .claims import Claim
from .compiled import Compiled
from .generated import Line, Touch, touches, values
from .launches import _groups
from .written import SIZES, Called, Loop

_CALLS = (
    ("tma_load", r"tl::tma_load\("),
    ("tma_store", r"tl::tma_store\("),
    ("cp_async", r"tl::cp_async_gs"),
    ("ldmatrix", r"ptx_ldmatrix"),
    ("stmatrix", r"ptx_stmatrix"),
    ("wgmma", r"tl::wgmma_[rs]s"),
    ("mma", r"tl::mma_sync"),
    ("mfma", r"__builtin_amdgcn_mfma"),
    ("simdgroup", r"simdgroup_(?:load|store|multiply)|make_filled_simdgroup"),
    ("all_reduce", r"tl::AllReduce"),
    ("dma", r"asc_copy_"),
    ("cube", r"ascend_gemm_l1<"),
    ("vector", r"simd_inst::"),
)
_SHAPES = {
    "wgmma": r"tl::wgmma_[rs]s<tl::\w+::\w+, tl::\w+::\w+, tl::\w+::\w+, (\d+), (\d+), (\d+),",
    "mma": r"tl::mma_sync<tl::\w+::\w+, tl::\w+::\w+, tl::\w+::\w+, (\d+), (\d+), (\d+),",
    "mfma": r"__builtin_amdgcn_mfma_(\w+)\(",
}
_ALL_REDUCE = re.compile(r"tl::AllReduce<tl::(\w+), (\d+), (\d+)[^(]*::run")
_KINDS = {"Pipelined": "pipeline", "serial": "loop", "Parallel": "parallel"}
_CALLED = {"copy": "copy", "clear": "fill", "fill": "fill", "gemm": "gemm"}


def claims(one: Compiled) -> Iterator[Claim]:
    """Claims for each operation that is told."""
    told = {(operation.kind, operation.line) for operation in one.facts.operations}
    yield Claim("operation.places", one.title, told, lambda: _places(one))
    for operation in one.facts.operations:
        for loop in one.written.loops:
            if loop.line == operation.line:
                yield from _of_loop(one, operation, loop)
        for called in one.written.called:
            if called.line == operation.line:
                yield from _of_call(one, operation, called)
        if operation.lowered_to:
            yield from _lowered(one, operation)


def _places(one: Compiled) -> set[tuple[str, int]]:
    loops = {(_KINDS[loop.kind], loop.line) for loop in one.written.loops}
    calls = {(_CALLED.get(one.function, one.function.partition("_")[0]), one.line) for one in one.written.called}
    return loops | calls


def _claim(one: Compiled, operation: Operation, name: str, told: Any, derived: Any) -> Claim:
    about = f"{operation.kind} on line {operation.line} of {one.title}"
    return Claim(f"operation.{name}", about, told, derived)


def _of_loop(one: Compiled, operation: Operation, loop: Loop) -> Iterator[Claim]:
    detail = operation.detail
    if "extents" in detail:
        yield _claim(one, operation, "extents", tuple(detail["extents"]), lambda: loop.extents)
    if "extent" in detail:
        yield _claim(one, operation, "extent", detail["extent"], lambda: loop.extents[0])
    if "num_stages" in detail:
        yield _claim(one, operation, "num_stages", detail["num_stages"], lambda: loop.num_stages)
    if "stages" in detail:
        yield _claim(one, operation, "stages", detail["stages"], lambda: _stages(one, loop))
    if "producer_threads" in detail:
        told = (detail["producer_threads"], detail["consumer_threads"])
        yield _claim(one, operation, "specialization", told, lambda: tuple(group.threads for group in _groups(one)))
    if "elements_per_thread" in detail and _written_registers(one, loop):
        told = detail["elements_per_thread"]
        yield _claim(one, operation, "elements_per_thread", told, lambda: _elements_per_thread(one, loop))


def _stages(one: Compiled, loop: Loop) -> int:
    """The most tiles of one buffer that the copies in the loop fill."""
    from .buffers import _stages as stages_of

    filled = [
        touched.buffer
        for touched in one.written.touched
        if loop in touched.loops and touched.mode == "write" and "Parallel" not in {at.kind for at in touched.loops}
    ]
    declared = [one.written.buffers[name] for name in filled]
    return max((stages_of(one, buffer) for buffer in declared if buffer.allocator == "alloc_shared"), default=1)


def _written_registers(one: Compiled, loop: Loop) -> set[str]:
    return {
        touched.buffer
        for touched in one.written.touched
        if loop in touched.loops and touched.mode == "write" and touched.buffer in one.source.arrays
    }


def _elements_per_thread(one: Compiled, loop: Loop) -> int:
    """Different elements of its array that the code of the loop stores to."""
    lines = one.source.of(_lines(one, loop.line))
    (name,) = _written_registers(one, loop)
    stored: set[int] = set()
    for touch in touches(one.source, lines, name):
        if touch.mode == "write" and touch.width is not None:
            at = values(touch.index, _cases(dict(touch.line.loops)))
            for element in range(touch.width // touch.size):
                stored |= set((at + element).ravel().tolist())
    return len(stored)


def _of_call(one: Compiled, operation: Operation, called: Called) -> Iterator[Claim]:
    detail = operation.detail
    roles = {"copy": ("src", "dst"), "gemm": ("A", "B", "C"), "reduce": ("src", "dst")}.get(operation.kind, ("dst",))
    for role, argument in zip(roles, called.call.args, strict=False):
        name = next(node.id for node in ast.walk(argument) if isinstance(node, ast.Name))
        yield _claim(one, operation, "operand", detail[role], lambda name=name: name)
        dtype = detail[f"{role}_dtype"]
        yield _claim(one, operation, "operand dtype", dtype, lambda name=name: one.written.buffers[name].dtype)
    if "tile" in detail and operation.kind != "reduce":
        told = tuple(detail["tile"])
        yield _claim(one, operation, "tile", told, lambda: _touched(one, called, "write"))
    if operation.kind == "gemm":
        shape = (detail["M"], detail["N"], detail["K"])
        yield _claim(one, operation, "shape", shape, lambda: _shape(one, called))
    if "dim" in detail:
        reduction = (detail["reduce"], detail["dim"], detail["clear"])
        yield _claim(one, operation, "reduction", reduction, lambda: _reduction(one, called))
    if "dma_row_bytes" in detail:
        row = (detail["dma_row_bytes"], detail["dma_aligned"])
        yield _claim(one, operation, "dma_row_bytes", row, lambda: _row(one, operation, called))


def _touched(one: Compiled, called: Called, mode: str) -> tuple[int, ...]:
    return next(at.extents for at in one.written.touched if at.line == called.line and at.mode == mode)


def _shape(one: Compiled, called: Called) -> tuple[int, int, int]:
    first, _, result = (one.written.buffers[ast.unparse(argument)].shape for argument in called.call.args[:3])
    return *result, math.prod(first) // result[0]  # type: ignore[return-value]


def _reduction(one: Compiled, called: Called) -> tuple[str, int, bool]:
    keywords = {keyword.arg: one.written.value(keyword.value) for keyword in called.call.keywords}
    return called.function.partition("_")[2], keywords["dim"], keywords.get("clear", True)


def _row(one: Compiled, operation: Operation, called: Called) -> tuple[int, bool]:
    tensor = next(
        at
        for at in one.written.touched
        if at.line == called.line and one.written.buffers[at.buffer].allocator == "Tensor"
    )
    row = tensor.extents[-1] * SIZES[one.written.buffers[tensor.buffer].dtype]
    return row, row % 32 == 0


def _lines(one: Compiled, line: int) -> list[int]:
    """The Python lines of an operation: of a loop also those of its body."""
    inside = [touched.line for touched in one.written.touched if any(loop.line == line for loop in touched.loops)]
    return sorted({line, *inside})


def _lowered(one: Compiled, operation: Operation) -> Iterator[Claim]:
    assert operation.line is not None
    lines = one.source.of(_lines(one, operation.line))
    detail = operation.detail
    yield _claim(one, operation, "lowered_to", set(operation.lowered_to), lambda: _names(one, lines))
    if "instruction" in detail:
        yield _claim(one, operation, "instruction", detail["instruction"], lambda: _instruction(lines))
    if "vector_bytes" in detail:
        told = (detail["vector_elements"], detail["vector_bytes"])
        yield _claim(one, operation, "vector width", told, lambda: _width(one, lines))
    if "all_reduce" in detail:
        together = (detail["all_reduce"], detail["reduce_threads"], detail["reduce_stride"])
        yield _claim(one, operation, "all_reduce", together, lambda: _all_reduce(lines))


def _names(one: Compiled, lines: list[Line]) -> set[str]:
    text = "\n".join(line.text for line in lines)
    found = {name for name, pattern in _CALLS if re.search(pattern, text)}
    for touch in _memory(one, lines):
        wide = (touch.width or 0) > _element(one, touch.buffer)
        found.add(("vector_ld" if touch.mode == "read" else "vector_st") if wide else "scalar")
    return found or {"register"}


def _memory(one: Compiled, lines: list[Line]) -> Iterator[Touch]:
    """Plain loads and stores of memory outside registers."""
    for buffer in one.written.buffers.values():
        if buffer.allocator in ("Tensor", "alloc_shared"):
            yield from (touch for touch in touches(one.source, lines, buffer.name) if touch.width is not None)


def _element(one: Compiled, buffer: str) -> int:
    return SIZES[one.written.buffers[buffer].dtype]


def _instruction(lines: list[Line]) -> Any:
    found = []
    for line in lines:
        for name, pattern in _SHAPES.items():
            for match in re.finditer(pattern, line.text):
                shape = "m{}n{}k{}".format(*match.groups()) if len(match.groups()) > 1 else match[1]
                found.append(f"{name} {shape}")
    (only,) = set(found)
    return only


def _width(one: Compiled, lines: list[Line]) -> tuple[int, int]:
    """The narrowest access to memory, as elements and bytes."""
    widths = [(touch.width or 0, _element(one, touch.buffer)) for touch in _memory(one, lines)]
    for line in lines:
        widths += [(int(size), 2) for size in re.findall(r"cp_async_gs(?:_conditional)?<(\d+)>", line.text)]
    width, size = min(widths)
    return width // size, width


def _all_reduce(lines: list[Line]) -> tuple[str, int, int]:
    found = next(found for found in map(_ALL_REDUCE.search, (line.text for line in lines)) if found is not None)
    span, stride = int(found[2]), int(found[3])
    # Threads reduce in pairs that are span/2, span/4 ... stride apart.
    steps = [distance for distance in (span >> at for at in range(1, 12)) if distance >= stride]
    return found[0], int(np.prod([2 for _ in steps], dtype=np.int64)), stride
