"""From what the hooks of the program's processes left to the profile."""

from __future__ import annotations

import contextlib
import statistics
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from .document import StampedKernel, StampPlace, StampSite, Timing, WarpStamps
from .plan import Plan, Planned
from .rewrite import HEADER, WARPS, region_bytes

_LOW = 0xFFFFFFFF


@dataclass(frozen=True)
class SeenKernel:
    """A kernel in one process, as the hook reports it: ``source`` is the checksum of its generated source, ``buffer``
    the file with its stamps."""

    source: str
    symbol: str
    launches: int
    times_us: tuple[float, ...]
    buffer: str | None = None


@dataclass(frozen=True)
class Report:
    """What the hook of one process found."""

    pid: int
    device: dict[str, Any] | None
    kernels: tuple[SeenKernel, ...]
    notes: tuple[str, ...] = field(default=())


def reports(folder: Path) -> tuple[Report, ...]:
    """Of each process; one that was killed while it wrote is left out."""
    found = []
    for path in sorted(folder.glob("*.json")):
        if path.name != "plan.json":
            with contextlib.suppress(msgspec.DecodeError):
                found.append(msgspec.json.decode(path.read_bytes(), type=Report))
    return tuple(found)


def collect(plan: Plan, folder: Path, plain: Sequence[Report], names: Mapping[Path, str]) -> list[StampedKernel]:
    """The kernels that were launched with stamps. ``folder`` holds what their run left, ``plain`` is of the run
    without stamps (empty where there was none), ``names`` are the recordings' files beside the profile."""
    before: dict[str, tuple[float, ...]] = {}
    for report in plain:
        for kernel in report.kernels:
            before[kernel.source] = before.get(kernel.source, ()) + kernel.times_us
    planned = {one.key: one for one in plan.planned}
    found = []
    for report in reports(folder):
        for kernel in report.kernels:
            one = planned.get(kernel.source)
            if one is None or kernel.buffer is None:
                continue
            data = zlib.decompress((folder / kernel.buffer).read_bytes())
            timing = timed(before.get(kernel.source, ()), kernel.times_us)
            for index in range(len(one.kernels)):
                made = _kernel(plan, one, index, data, kernel.launches, timing, names.get(one.recording))
                if made is not None:
                    found.append(made)
    return found


def timed(plain: Sequence[float], stamped: Sequence[float]) -> Timing:
    """Both sides, and what the stamps cost."""
    overhead = None
    if plain and stamped:
        overhead = round(statistics.median(stamped) / statistics.median(plain) - 1, 5)
    return Timing(tuple(plain), tuple(stamped), overhead)


def _kernel(
    plan: Plan, one: Planned, index: int, data: bytes, launches: int, timing: Timing, recording: str | None
) -> StampedKernel | None:
    size = region_bytes(plan.blocks, plan.capacity)
    words = _words(data[index * size : (index + 1) * size])
    rows = [words[at : at + plan.capacity] for at in range(0, len(words), plan.capacity)]
    warps = tuple(_warp(row, number % WARPS) for number, row in enumerate(rows) if row[0] >> 63)
    if not warps:
        return None
    shape = next(row for row in rows if row[0] >> 63)
    threads = shape[7] >> 32
    symbol = one.kernels[index].symbol
    return StampedKernel(
        symbol=symbol,
        kernel=one.kernel,
        source_sha256=one.key,
        recording=recording,
        grid=(shape[6] & _LOW, shape[6] >> 32, shape[7] & _LOW),
        block=(threads & 0x7FF, (threads >> 11) & 0x7FF, threads >> 22),
        launches=launches,
        clock_ghz=_clock_ghz(warps),
        timing=timing,
        sites=tuple(_sites(one, symbol)),
        warps=warps,
    )


def _words(data: bytes) -> array[int]:
    words = array("Q")
    words.frombytes(data)
    if sys.byteorder != "little":
        words.byteswap()
    return words


def _warp(row: array[int], warp: int) -> WarpStamps:
    start_clock, ended = row[2], row[3] != 0
    count = row[5] if ended else len(row) - HEADER
    stamps: list[int] = []
    low, cycles = start_clock & _LOW, 0
    for word in row[HEADER : HEADER + count]:
        step = ((word & _LOW) - low) & _LOW
        if not word or (not ended and step > _LOW // 2):
            break  # left by an earlier launch
        cycles += step
        low = word & _LOW
        stamps += (word >> 32, cycles)
    return WarpStamps(
        block=row[0] & _LOW,
        warp=warp,
        sm=(row[0] >> 32) & 0x7FFFFFFF,
        start_ns=row[1],
        end_ns=row[3] if ended else None,
        end_cycles=row[4] - start_clock if ended else None,
        full=len(stamps) // 2 >= len(row) - HEADER,
        stamps=tuple(stamps),
    )


def _clock_ghz(warps: Sequence[WarpStamps]) -> float | None:
    """Cycles of the SMs' counters per nanosecond, from the warp that lived longest: the timer is coarse."""
    lives = [(warp.end_ns - warp.start_ns, warp.end_cycles) for warp in warps if warp.end_ns and warp.end_cycles]
    longest, cycles = max(lives, default=(0, 0))
    return round(cycles / longest, 4) if longest > 0 else None


def _sites(one: Planned, symbol: str) -> Iterator[StampSite]:
    for site in one.sites:
        if site.symbol == symbol:
            places = tuple(StampPlace(origin.file, origin.line) for origin in site.origins)
            yield StampSite(site.number, site.line, site.last, site.kind, site.role, places, site.text)
