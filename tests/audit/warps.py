"""Warp accesses, from the addresses in generated source: evaluated for every thread of one block and every iteration,
banks and sectors counted one by one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from tilescope_worker.wire.facts import WarpAccess

from .claims import Claim, OneOf
from .compiled import Compiled
from .generated import Touch, touches, values

_CALLS = {
    "cp_async": "tl::cp_async_gs",
    "ldmatrix": "ptx_ldmatrix",
    "tma_load": "tl::tma_load(",
    "wgmma": "tl::wgmma_",
}
_WITHOUT_LANES = ("tma_load", "tma_store", "wgmma", "mma", "simdgroup")
_MOST = 64
"""Values tried of a loop that is longer."""


def claims(one: Compiled) -> Iterator[Claim]:
    """Claims for each warp access that is told."""
    for access in one.facts.warp_accesses:
        about = f"{access.instruction} {access.mode} of {access.buffer} on line {access.line} of {one.title}"
        found = list(_found(one, access))
        if access.instruction in _WITHOUT_LANES:
            call = _CALLS.get(access.instruction, access.instruction)
            yield Claim("warp.instruction", about, True, partial(_calls, one, access.line, call))
            continue
        yield Claim("warp.instruction", about, True, partial(bool, found))
        yield Claim("warp.bytes_per_thread", about, access.bytes_per_thread, partial(_widths, found))
        yield Claim("warp.looped", about, access.looped, partial(_any_looped, one, found))
        if access.repeats is not None:
            yield Claim("warp.repeats", about, access.repeats, partial(_repeats, found))
        yield from _figures(one, access, about, found)


def _figures(one: Compiled, access: WarpAccess, about: str, found: list[Touch]) -> Iterator[Claim]:
    lanes = 64 if one.target.startswith("hip") else 32
    if access.sectors is not None:
        told = (access.sectors, access.ideal_sectors)
        yield Claim("warp.sectors", about, told, lambda: _sectors(one, access, found, lanes))
        yield Claim("warp.sector_use", about, access.sector_use, lambda: _use(one, access, found, lanes))
    if access.ways is not None and access.instruction != "cp_async":
        told = (access.ways, access.wavefronts)
        yield Claim("warp.banks", about, told, lambda: _banks(one, access, found, lanes))
    if access.ways is not None and access.instruction == "cp_async":
        yield Claim("warp.lines", about, access.wavefronts, lambda: _lines(one, access, found))


def _calls(one: Compiled, line: int | None, call: str) -> bool:
    return line is not None and call in one.source.declared([line])


def _found(one: Compiled, access: WarpAccess) -> Iterator[Touch]:
    """The places in the source that are of an access: its line, buffer, direction and kind of instruction."""
    call = _CALLS.get(access.instruction)
    lines = one.source.of([access.line]) if access.line is not None else []
    for touch in touches(one.source, lines, access.buffer):
        called = call is not None and call in touch.line.text
        if called or (call is None and touch.width == access.bytes_per_thread and touch.mode == access.mode):
            yield touch


def _widths(found: list[Touch]) -> OneOf:
    return OneOf(frozenset(touch.width if touch.width is not None else _asked(touch) for touch in found))


def _asked(touch: Touch) -> int:
    """Bytes that a call moves for each thread: of a copy what it says, of a matrix load a row of eight elements."""
    asked = re.search(r"cp_async_gs(?:_conditional)?<(\d+)>", touch.line.text)
    return int(asked[1]) if asked else 16


def _any_looped(one: Compiled, found: list[Touch]) -> bool:
    return any(_is_looped(one, touch) for touch in found)


def _is_looped(one: Compiled, touch: Touch) -> bool:
    """Whether a loop that is not unrolled is around: one without a pragma in front of it."""
    above = touch.line.number - 1
    for variable, _ in touch.line.loops:
        heads = [line for line in one.source.lines[:above] if f"int {variable} = 0" in line.text]
        heads = heads or [line for line in one.source.lines[:above] if f"int32_t {variable} = 0" in line.text]
        before = one.source.lines[heads[-1].number - 2].text
        if "unroll" not in before or "disable" in before:
            return True
    return False


def _repeats(found: list[Touch]) -> OneOf:
    """Iterations of the loops whose variables are in the address."""
    counts = set()
    for touch in found:
        counts.add(
            int(np.prod([count for name, count in touch.line.loops if _has(touch.index, name)], dtype=np.int64))
        )
    return OneOf(frozenset(counts))


def _has(index: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", index) is not None


def _issues(one: Compiled, touch: Touch, lanes: int) -> Iterator[tuple[dict[str, int], Any]]:
    """Byte offsets of the lanes of each warp in each iteration, in the first block, with the loops' values."""
    assert one.facts.launch is not None
    threads = int(one.launch[-3 - ("buf_dyn_shmem" in one.source.text)])
    loops = [(name, count) for name, count in touch.line.loops if _has(touch.index, name)]
    chosen = [range(count) if count <= _MOST else (0, 1, count // 2, count - 1) for _, count in loops]
    everything = np.arange(threads)
    for case in _product(chosen):
        scope = {"tx": everything, "ty": 0, "bx": 0, "by": 0, "bz": 0}
        scope |= {name: value for (name, _), value in zip(loops, case, strict=True)}
        offsets = np.broadcast_to(values(touch.index, scope), (threads,)) * touch.size
        for start in range(0, threads, lanes):
            yield dict(zip((name for name, _ in loops), case, strict=True)), offsets[start : start + lanes]


def _product(ranges: list[Any]) -> Iterator[tuple[int, ...]]:
    if not ranges:
        yield ()
        return
    for first in ranges[0]:
        for rest in _product(ranges[1:]):
            yield (first, *rest)


def _sectors(one: Compiled, access: WarpAccess, found: list[Touch], lanes: int) -> tuple[int, int]:
    """The worst warp's sectors of 32 bytes, byte by byte, and the fewest that could hold the bytes."""
    worst = (0, 0)
    for touch in found:
        for _, offsets in _issues(one, touch, lanes):
            touched = set(np.unique(offsets[:, None] + np.arange(_width(access))).tolist())
            counted = len({byte // 32 for byte in touched}), -(-len(touched) // 32)
            worst = max(worst, counted, key=lambda pair: (pair[0] / max(pair[1], 1), pair[0]))
    return worst


def _use(one: Compiled, access: WarpAccess, found: list[Touch], lanes: int) -> Any:
    """Of a warp's sectors the share that it asks for over the innermost loop; the worst, and all there are."""
    shares = set()
    for touch in found:
        inner = touch.line.loops[-1][0] if touch.line.loops else ""
        by_warp: dict[Any, set[int]] = defaultdict(set)
        single: list[tuple[Any, float]] = []
        for at, (case, offsets) in enumerate(_issues(one, touch, lanes)):
            warp = at % (int(one.launch[-3 - ("buf_dyn_shmem" in one.source.text)]) // lanes)
            outer = tuple(sorted((name, value) for name, value in case.items() if name != inner))
            touched = set(np.unique(offsets[:, None] + np.arange(_width(access))).tolist())
            by_warp[warp, outer] |= touched
            single.append(((warp, outer), len(touched) / (32 * len({byte // 32 for byte in touched}))))
        for key, share in single:
            union = by_warp[key]
            together = len(union) / (32 * len({byte // 32 for byte in union}))
            shares.add(max(share, together) if share < 1 else share)
    return OneOf(frozenset(shares))


def _width(access: WarpAccess) -> int:
    assert access.bytes_per_thread is not None
    return access.bytes_per_thread


def _banks(one: Compiled, access: WarpAccess, found: list[Touch], lanes: int) -> tuple[int, int]:
    """The worst warp's passes through 32 banks of 4 bytes, in phases of as many lanes as 128 bytes allow."""
    worst = (0, 0)
    for touch in found:
        for _, offsets in _issues(one, touch, lanes):
            worst = max(worst, _served(offsets.tolist(), _width(access), access, lanes))
    return worst


def _served(offsets: list[int], width: int, access: WarpAccess, lanes: int) -> tuple[int, int]:
    size = min(32, max(128 // max(width, 4), 8))
    phases = [list(range(start, start + size)) for start in range(0, lanes, size)]
    if lanes == 64 and width == 16 and access.mode == "read":
        low = [0, 1, 2, 3, 20, 21, 22, 23], [4, 5, 6, 7, 16, 17, 18, 19]
        phases = [[lane + more for lane in half] for more in (0, 8, 32, 40) for half in low]
    ways, passes = 0, 0
    for phase in phases:
        banks: dict[int, set[int]] = defaultdict(set)
        for lane in phase:
            for word in range(offsets[lane] // 4, -(-(offsets[lane] + width) // 4)):
                banks[word % 32].add(word)
        most = max(len(words) for words in banks.values())
        ways, passes = max(ways, most), passes + most
    return ways, passes


def _lines(one: Compiled, access: WarpAccess, found: list[Touch]) -> int:
    """Copies past the cache: pairs of a 128-byte line of global and one of shared memory, chunks swizzled alike."""
    most = 0
    for touch in found:
        text = touch.line.text
        (source,) = [
            other
            for tensor in one.written.buffers.values()
            if tensor.allocator == "Tensor"
            for other in touches(one.source, [touch.line], tensor.name)
            if "cp_async_gs" in text
        ]
        names = {name for name, _ in touch.line.loops}
        for (case, to), (_, at) in zip(
            _issues(one, _with_loops(touch, source), 32), _issues(one, _with_loops(source, touch), 32), strict=True
        ):
            assert set(case) <= names
            pairs = {
                (one_to // 128, one_at // 128, (one_to // 16 ^ one_at // 16) % 8)
                for one_to, one_at in zip(to.tolist(), at.tolist(), strict=True)
            }
            most = max(most, len(pairs))
    return most


def _with_loops(touch: Touch, other: Touch) -> Touch:
    """The touch with an index that names the loops of the other one too, so that both have the same cases."""
    extra = " + ".join(f"0 * {name}" for name, _ in touch.line.loops if _has(other.index, name))
    return Touch(touch.line, touch.buffer, touch.mode, f"({touch.index}) + {extra}" if extra else touch.index,
                 touch.size, touch.width)  # fmt: skip
