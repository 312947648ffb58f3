"""Facts of the launch, from the text of the generated source, what the host code launches it with, and arithmetic."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tilescope_trace.occupancy import with_occupancy
from tilescope_worker.wire.facts import Flag, Kernel, Specialization, WarpGroup

from .claims import Between, Claim
from .compiled import Compiled
from .generated import TYPES
from .written import SIZES

H200 = Path(__file__).parents[1] / "data" / "h200"
_BOUNDS = re.compile(r"__launch_bounds__\((\d+)|max_total_threads_per_threadgroup\((\d+)")
_SPECIALIZED = re.compile(
    r"if \(\(\(int\)threadIdx\.x\) < (\d+)\) \{\s+tl::warpgroup_reg_dealloc<(\d+)>\(\);"
    r"(?:.|\n)*\} else \{\s+tl::warpgroup_reg_alloc<(\d+)>\(\);"
)
_FLAG = re.compile(r"asc_sync_(notify|wait)\(PIPE_(\w+), PIPE_(\w+), static_cast<event_t>\((\d+)\)\)")
_SPACES = {"alloc_l1": "l1", "alloc_l0c": "l0c"}


def claims(one: Compiled) -> Iterator[Claim]:
    """A claim for each launch fact that is told."""
    launch = one.facts.launch
    assert launch is not None
    made = one.written

    def claim(name: str, told: Any, derived: Any) -> Claim:
        return Claim(f"launch.{name}", one.title, told, derived)

    yield claim("grid", launch.grid, lambda: _grid(one))
    yield claim("grid as written", launch.grid, lambda: made.grid)
    yield claim("line", launch.line, lambda: made.launch_line)
    yield claim("threads", launch.threads, lambda: made.threads)
    yield claim("threads_lowered", launch.threads_lowered, lambda: _threads(one))
    yield claim("shared_dynamic_bytes", launch.shared_dynamic_bytes, lambda: _dynamic(one))
    yield claim("shared_static_bytes", launch.shared_static_bytes, lambda: _static(one))
    yield claim("barriers", launch.barriers, lambda: one.source.arrays.get("mbarrier_mem", (0, None))[1])
    yield claim("warp_groups", launch.warp_groups, lambda: _groups(one))
    yield claim("cores", launch.cores, lambda: tuple(re.findall(r"__global__ __(cube|vector)__", one.source.text)))
    yield claim("flags", launch.flags, lambda: _flags(one))
    yield claim("fragment_registers", launch.fragment_registers or 0, lambda: _registers(one))
    for use in launch.memory:
        yield claim(f"memory.{use.space}", use.bytes, partial(_memory, one, use.space))
        yield claim("memory declared", use.declared_bytes, partial(_declared, one, use.space))
    if one.target == "cuda:sm_90a":
        known = with_occupancy(_kernel(one))
        assert known is not None
        yield claim("occupancy", (known.blocks_per_sm, known.occupancy), lambda: _occupancy(one))


def _grid(one: Compiled) -> tuple[int, ...]:
    if one.target == "c":  # a loop for each axis
        return tuple(int(size) for size in re.findall(r"for \(int32_t b[xyz] = 0; b[xyz] < (\d+);", one.source.text))
    numbers = one.launch[: len(one.launch) - _has_dynamic(one)]
    return numbers if one.target == "ascend" else numbers[:-3]


def _has_dynamic(one: Compiled) -> bool:
    return "buf_dyn_shmem" in one.source.text


def _threads(one: Compiled) -> int | None:
    found = _BOUNDS.search(one.source.text)
    if found is None:
        return None
    threads = int(found[1] or found[2])
    launched = one.launch[: len(one.launch) - _has_dynamic(one)][-3:]
    assert math.prod(launched) == threads
    return threads


def _dynamic(one: Compiled) -> int:
    return one.launch[-1] if _has_dynamic(one) else 0


def _static(one: Compiled) -> int:
    """Arrays that the source declares in shared memory; Metal's are given their dynamic size there."""
    return sum(
        TYPES[kind] * count
        for name, (kind, count, qualifier) in one.source.arrays.items()
        if qualifier and name != "buf_dyn_shmem"
    )


def _groups(one: Compiled) -> tuple[WarpGroup, ...]:
    found = _SPECIALIZED.search(one.source.text)
    if found is None:
        return ()
    producers = int(found[1])
    total = _threads(one) or 0
    return (
        WarpGroup("producer", producers, int(found[2])),
        WarpGroup("consumer", total - producers, int(found[3])),
    )


def _flags(one: Compiled) -> tuple[Flag, ...]:
    sets: Counter[str] = Counter()
    waits: Counter[str] = Counter()
    ids: dict[str, set[int]] = {}
    for way, first, second, number in _FLAG.findall(one.source.text):
        event = f"{first}_{second}"
        (sets if way == "notify" else waits)[event] += 1
        ids.setdefault(event, set()).add(int(number))
    return tuple(Flag(event, sets[event], waits[event], tuple(sorted(ids[event]))) for event in ids)


def _registers(one: Compiled) -> Between:
    """All private arrays that the source declares, and the largest: what is needed at once lies between."""
    sizes = [
        -(-TYPES[kind] * count // 4)
        for kind, count, qualifier in one.source.arrays.values()
        if not qualifier and kind in TYPES
    ]
    return Between(max(sizes, default=0), sum(sizes))


def _memory(one: Compiled, space: str) -> int:
    """GPUs: what the text and the launch say, dynamic memory aligned to 1024 bytes. Ascend: where the last buffer
    that the text names ends, each of them as large as written."""
    if space == "shared":
        static = _static(one)
        dynamic = _dynamic(one)
        return -(-static // 1024) * 1024 + dynamic if dynamic else static
    own = [buffer.bytes for buffer in one.written.buffers.values() if _space(buffer.allocator) == space]
    pointer = {"l1": "buf_dyn_l1", "ub": "buf_dyn_shmem"}.get(space)
    if pointer is None:
        return sum(own)
    size = {"l1": 2, "ub": 4}[space]
    starts = {int(start) for start in re.findall(rf"{pointer} \+ (\d+)|$", one.source.text) if start}
    starts |= {int(start) for start in re.findall(rf"{pointer}\)\[(?:\(\(vchunk \* 64\) \+ )?(\d+)", one.source.text)}
    assert len(set(own)) == 1
    return max(starts) * size + own[0]


def _space(allocator: str) -> str | None:
    return _SPACES.get(allocator, "ub" if allocator == "alloc_shared" else None)


def _declared(one: Compiled, space: str) -> int:
    """Shape x stages x element size of the buffers there; stages as in the facts, which have claims of their own."""
    stages = {buffer.name: buffer.stages for buffer in one.facts.buffers}
    inside = [
        buffer
        for buffer in one.written.buffers.values()
        if (_space(buffer.allocator) if one.target == "ascend" else {"alloc_shared": "shared"}.get(buffer.allocator))
        == space
    ]
    return sum(math.prod(buffer.shape) * SIZES[buffer.dtype] * stages[buffer.name] for buffer in inside)


def _kernel(one: Compiled) -> Kernel:
    return Kernel(
        name=one.name,
        qualname=one.name,
        line=1,
        form="lazy",
        target=one.target,
        target_origin="command-line",
        stage="lowered",
        status="ok",
        specialization=Specialization(""),
        launch=one.facts.launch,
        buffers=one.facts.buffers,
        operations=one.facts.operations,
    )


def _occupancy(one: Compiled) -> tuple[int, float]:
    """Blocks that fit an SM by threads, blocks, shared memory and the registers that warp groups set, with the
    attributes that an H200 told."""
    device = json.loads((H200 / "device.json").read_text(encoding="utf-8"))
    shared_sm = device["max_shared_memory_per_multiprocessor"]
    reserved = device["reserved_shared_memory_per_block"]
    threads_sm, blocks_sm = device["max_threads_per_multiprocessor"], device["max_blocks_per_multiprocessor"]
    threads = _threads(one) or 0
    block = _memory(one, "shared") if _dynamic(one) or _static(one) else 0
    blocks = min(threads_sm // threads, blocks_sm, shared_sm // (-(-block // 128) * 128 + reserved))
    if registers := sum(group.threads * (group.registers or 0) for group in _groups(one)):
        blocks = min(blocks, device["max_registers_per_multiprocessor"] // registers)
    return blocks, blocks * threads / threads_sm
