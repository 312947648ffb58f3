"""Facts of buffers and layouts, from the syntax tree, the sizes and addresses in generated source, TMA descriptors,
and the compiler's layout objects evaluated element by element."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tilescope_worker.wire.facts import Buffer, Layout

from .claims import Claim, OneOf
from .compiled import Compiled
from .generated import TYPES, touches, values
from .written import SIZES, Declared

_SCOPES = {
    "Tensor": "global",
    "alloc_shared": "shared.dyn",
    "alloc_fragment": "local.fragment",
    "alloc_l1": "shared.l1",
    "alloc_l0c": "shared.l0c",
}
_TMA_SWIZZLES = ("none", "32B", "64B", "128B")
_CELLS = 48
_MAPPED = ("i", "j", "k", "l", "m", "n")
_MATRIX = {"simdgroup_float8x8": 64 * 4, "simdgroup_half8x8": 64 * 2}
CHUNK = 16


def claims(one: Compiled) -> Iterator[Claim]:
    """Claims for each buffer that is told."""
    yield Claim(
        "buffer.names", one.title, {buffer.name for buffer in one.facts.buffers}, lambda: set(one.written.buffers)
    )
    for buffer in one.facts.buffers:
        yield from _buffer(one, buffer, one.written.buffers[buffer.name])


def _buffer(one: Compiled, buffer: Buffer, made: Declared) -> Iterator[Claim]:
    def claim(name: str, told: Any, derived: Any) -> Claim:
        return Claim(f"buffer.{name}", f"{buffer.name} of {one.title}", told, derived)

    yield claim("shape", buffer.shape, lambda: made.shape)
    yield claim("dtype", buffer.dtype, lambda: made.dtype)
    yield claim("line", buffer.line, lambda: made.line)
    yield claim("scope", buffer.scope, lambda: _scope(one, made))
    yield claim("bytes", buffer.bytes, lambda: made.bytes * buffer.stages)
    if buffer.scope == "shared.dyn" and one.target != "ascend":
        yield claim("stages", buffer.stages, lambda: _stages(one, made))
    layout = buffer.layout
    if layout is None:
        return
    yield claim("layout.kind", layout.kind, lambda: _kind(one, made))
    if layout.swizzle is not None:
        yield claim("layout.swizzle", layout.swizzle, lambda: _swizzle(one, made, buffer.stages))
        told = [descriptor for tensor, descriptor in one.descriptors.items() if _loaded(one, tensor) == buffer.name]
        if told:
            yield claim("layout.swizzle in TMA", layout.swizzle, lambda: _TMA_SWIZZLES[told[0][-3]])
    if layout.kind == "fragment":
        yield claim("layout.threads", layout.threads, lambda: len(set(_all_threads(one, made))))
        yield claim("layout.replicate", layout.replicate, lambda: _copies(one, made))
        yield claim("layout.registers_per_thread", layout.registers_per_thread, lambda: _array(one, made))
    if layout.map is not None:
        cells = _cells(one, made, buffer)
        yield claim("layout.map", _mapped(layout, cells), lambda: _placed(one.layouts[made.name], cells))


def _scope(one: Compiled, made: Declared) -> str:
    matrix = one.source.arrays.get(made.name, ("",))[0] in _MATRIX
    return "metal.simdgroup" if matrix else _SCOPES[made.allocator]


def _kind(one: Compiled, made: Declared) -> str:
    if made.allocator == "alloc_fragment":
        return "fragment"
    name = type(one.layouts[made.name]).__name__ if made.name in one.layouts else ""
    return "fractal" if one.target == "ascend" and name and made.allocator != "alloc_shared" else "shared"


def _stages(one: Compiled, made: Declared) -> int:
    """How many tiles lie behind one another, from the highest address in the source over all threads and loops."""
    highest = 0
    elements = math.prod(made.shape)
    for touch in touches(one.source, one.source.lines, made.name):
        domain = {"tx": 1 if touch.line.text.count("tma_") else _block(one), "ty": 1, "bx": 1, "by": 1, "bz": 1}
        domain |= touch.line.loops
        domain = {name: count for name, count in domain.items() if _names(touch.index, name)}
        at = values(touch.index, _cases(domain))
        highest = max(highest, int(at.max()))
    return highest // elements + 1


def _names(index: str, name: str) -> bool:
    long = {"tx": "threadIdx.x", "bx": "blockIdx.x", "by": "blockIdx.y", "bz": "blockIdx.z"}.get(name, name)
    return long in index or (name == "tx" and "__simd_group_id" in index)


def _cases(domain: dict[str, int]) -> dict[str, Any]:
    axes = np.meshgrid(*(np.arange(count) for count in domain.values()), indexing="ij") if domain else []
    return {name: axis.ravel() for name, axis in zip(domain, axes, strict=True)}


def _block(one: Compiled) -> int:
    launch = one.facts.launch
    return int(launch.threads_lowered) if launch is not None and isinstance(launch.threads_lowered, int) else 1


def _loaded(one: Compiled, tensor: str) -> str | None:
    """The buffer that the written copy of a tensor fills."""
    for at, touch in enumerate(one.written.touched[:-1]):
        if touch.buffer == tensor and touch.mode == "read":
            return one.written.touched[at + 1].buffer
    return None


def _swizzle(one: Compiled, made: Declared, stages: int) -> str:
    """From where the compiler's object puts the 16-byte chunks of eight rows: by how many ways each column moves."""
    layout = one.layouts.get(made.name)
    if layout is None:
        return "none"
    place = _function(layout)
    size = SIZES[made.dtype]
    columns = range(0, made.shape[1], CHUNK // size)
    leading = [np.zeros(8, dtype=np.int64)] * (len(layout.get_input_shape()) - 2)
    rows = np.arange(8)
    moved = {tuple((place(*leading, rows, np.full(8, column)) * size // CHUNK % 8).tolist()) for column in columns}
    span = min(made.shape[1] * size, 128) // CHUNK
    orders = {tuple(chunk % span for chunk in chunks) for chunks in moved}
    ways = max(len(set(chunks)) for chunks in orders)
    return {1: "none", 2: "32B", 4: "64B", 8: "128B"}[ways]


def _function(layout: Any, *, thread: bool = False) -> Any:
    """A function of arrays: the row-major place (or the thread) that the object's own printed expressions give."""
    variables = _variables(layout)
    outputs = [int(size) for size in layout.get_output_shape()]
    texts = [str(index).splitlines()[-1] for index in layout.get_forward_index()]

    def place(*indices: Any) -> Any:
        scope = dict(zip(variables, indices, strict=False))
        if thread:
            return eval(_python(layout.forward_thread), {}, scope | {"_rep": indices[-1]})
        found: Any = 0
        for text, size in zip(texts, outputs, strict=True):
            found = found * size + eval(text.replace("T.", ""), {}, scope)
        return found

    return place


def _variables(layout: Any) -> list[str]:
    return [str(variable.name) for variable in layout.get_forward_vars() if str(variable.name) != "_rep"]


def _python(expression: Any) -> str:
    return str(expression).splitlines()[-1].replace("T.", "")


def _all_threads(one: Compiled, made: Declared) -> list[int]:
    layout = one.layouts[made.name]
    domain = {str(at): size for at, size in enumerate((*made.shape, int(layout.replicate_size)))}
    found = _function(layout, thread=True)(*_cases(domain).values())
    return [int(thread) for thread in np.unique(found + np.zeros(1, dtype=np.int64))]


def _copies(one: Compiled, made: Declared) -> int:
    """Different threads that hold the first element."""
    layout = one.layouts[made.name]
    zeros = [np.zeros(1, dtype=np.int64)] * len(made.shape)
    count = 256
    copies = np.arange(count) % int(layout.replicate_size)
    return len(set((_function(layout, thread=True)(*zeros, copies) + np.zeros(count, dtype=np.int64)).tolist()))


def _array(one: Compiled, made: Declared) -> Any:
    """The array of one thread that the source declares under the buffer's name."""
    kind, count, qualifier = one.source.arrays[made.name]
    assert not qualifier
    if kind in _MATRIX:  # of all 32 threads together
        return OneOf(frozenset({_MATRIX[kind] * count // 32 // 4}))
    return -(-TYPES[kind] * count // 4)


def _cells(one: Compiled, made: Declared, buffer: Buffer) -> list[tuple[int, ...]]:
    layout = one.layouts[made.name]
    sizes = [int(size) for size in layout.get_input_shape()]
    pick = random.Random(f"{made.name}{one.title}")
    copies = int(getattr(layout, "replicate_size", 1))
    return [(*(pick.randrange(size) for size in sizes), pick.randrange(copies)) for _ in range(_CELLS)]


def _mapped(layout: Layout, cells: list[tuple[int, ...]]) -> list[tuple[int, int | None]]:
    """Place and thread of the cells by the fact's own formulas."""
    told = layout.map
    assert told is not None
    found = []
    for *indices, copy in cells:
        scope = dict(zip(_MAPPED, indices, strict=False)) | {"rep": copy, "min": min, "max": max}
        place = 0
        for text, size in zip(told.index, told.outputs, strict=True):
            place = place * size + eval(text, {}, scope)
        found.append((place, eval(told.thread, {}, scope) if told.thread is not None else None))
    return found


def _placed(layout: Any, cells: list[tuple[int, ...]]) -> list[tuple[int, int | None]]:
    from tvm import arith, tirx

    analyzer = arith.Analyzer()
    variables = _variables(layout)
    outputs = [int(size) for size in layout.get_output_shape()]

    def computed(expression: Any, cell: tuple[int, ...]) -> int:
        known = dict(zip(variables, cell, strict=False)) | {"_rep": cell[-1]}
        own = {v: tirx.const(known[str(v.name)]) for v in tirx.analysis.undefined_vars(expression)}
        return int(analyzer.simplify(tirx.stmt_functor.substitute(expression, own)))

    found = []
    for cell in cells:
        place = 0
        for index, size in zip(layout.get_forward_index(), outputs, strict=True):
            place = place * size + computed(index, cell)
        thread = computed(layout.forward_thread, cell) if hasattr(layout, "replicate_size") else None
        found.append((place, thread))
    return found
