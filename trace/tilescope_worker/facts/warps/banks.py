"""Bank conflicts of one shared-memory instruction of a warp.

Shared memory has 32 banks of 4 bytes. An instruction is served in phases of as many lanes as can move 128 bytes; in
each phase a bank gives one 32-bit word, so a phase takes as many passes (*wavefronts*) as the bank with the most
different words has. Lanes that touch one word share it. That, the merging of phases below, and atomics were measured
on an H200 (docs/bank-conflicts.md):

- loads of 8 bytes take one phase instead of two, and those of 16 bytes two instead of four, if in the lanes of the
  merged phase each touches the address of its neighbour (lane xor 1), or each that of lane xor 2;
- stores are never merged;
- matrix instructions move rows of 16 bytes, eight a phase, whose addresses come from eight lanes;
- atomics and asynchronous copies of 4 and 8 bytes serve lanes of one word one after the other;
- asynchronous copies of 16 bytes pass the L1 cache by and have no conflicts of banks: a wavefront carries what goes
  from one line of 128 bytes of global memory to one of shared memory, all of it in order or swizzled alike.

AMD, as ROCm documents it for CDNA (Composable Kernel, "Understanding AMD GPU LDS and Bank Conflicts"): a wavefront
has 64 lanes, instructions of up to 4 bytes are served by halves of 32, stores of 16 bytes by eight neighbours, loads
of 16 bytes by four neighbours and four others. Not measured here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

BANKS = 32
WORD = 4
LINE = BANKS * WORD
CHUNK = 16
Kind = Literal["load", "store", "matrix", "atomic", "async"]
Lanes = Sequence[int | None]
"""The byte offset of each lane; None for a lane that takes no part."""

_AMD_LOADS = ((0, 1, 2, 3, 20, 21, 22, 23), (4, 5, 6, 7, 16, 17, 18, 19))
_AMD_LOAD_STARTS = (0, 8, 32, 40)
"""The lanes of two phases of a load of 16 bytes, and by how much those of the other phases are higher."""


@dataclass(frozen=True)
class Conflict:
    """``ways``: the most words of one bank in one phase (1: no conflict, 0: no lane takes part); ``wavefronts``: the
    passes of the whole instruction; ``phases``: those it would take without conflicts; ``lanes``: one lane for each
    of the words that conflict, in order."""

    ways: int
    wavefronts: int
    phases: int
    lanes: tuple[int, ...] = ()


def conflict(lanes: Lanes, width: int, kind: Kind, source: Lanes | None = None) -> Conflict:
    """Conflicts of an instruction of NVIDIA GPUs that moves ``width`` bytes for each lane, at offsets aligned to it.

    ``source`` are the offsets in global memory that an asynchronous copy reads: without them its wavefronts are the
    fewest that there may be. For matrix instructions ``lanes`` are those that give addresses, and ``width`` is 16.
    """
    if kind == "async" and width == CHUNK:
        return _past_cache(lanes, source or lanes)
    return _served(lanes, width, _phases(lanes, width, kind), kind)


def amd_conflict(lanes: Lanes, width: int, kind: Kind) -> Conflict | None:
    """Conflicts of an instruction of AMD CDNA GPUs over the 64 lanes of a wavefront; None for a width of which it is
    not documented how it is served."""
    if width <= WORD:
        groups: list[Sequence[int]] = [range(32), range(32, 64)]
    elif width == 16 and kind == "store":
        groups = [range(start, start + 8) for start in range(0, 64, 8)]
    elif width == 16 and kind == "load":
        groups = [[lane + at for lane in half] for at in _AMD_LOAD_STARTS for half in _AMD_LOADS]
    else:
        return None
    return _served(lanes, width, groups, kind)


def _phases(lanes: Lanes, width: int, kind: Kind) -> list[Sequence[int]]:
    count = len(lanes)
    size = max(BANKS * WORD // max(width, WORD), 8)
    if kind == "load" and width > WORD:
        merged = 2 * size
        groups: list[Sequence[int]] = []
        for start in range(0, count, merged):
            whole = range(start, min(start + merged, count))
            if _shared(lanes, whole, 1) or _shared(lanes, whole, 2):
                groups.append(whole)
            else:
                groups += [range(start, start + size), range(start + size, whole.stop)]
        return groups
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def _shared(lanes: Lanes, group: range, step: int) -> bool:
    """Whether each lane of the group touches the address of lane xor ``step``, or one of the two takes no part."""
    for lane in group:
        mine, other = lanes[lane], lanes[lane ^ step]
        if mine != other and mine is not None and other is not None:
            return False
    return True


def _past_cache(lanes: Lanes, source: Lanes) -> Conflict:
    moved: dict[int, tuple[int, int, int]] = {}
    for to, at in zip(lanes, source, strict=True):
        if to is not None and at is not None:
            swizzle = (to // CHUNK ^ at // CHUNK) % (LINE // CHUNK)
            moved.setdefault(to, (to // LINE, at // LINE, swizzle))
    active = sum(to is not None for to in lanes)
    return Conflict(min(active, 1), len(set(moved.values())), -(-active * CHUNK // LINE))


def _served(lanes: Lanes, width: int, groups: Sequence[Sequence[int]], kind: Kind) -> Conflict:
    unit = max(width, WORD)
    positions = BANKS * WORD // unit
    serial = kind in ("atomic", "async")
    ways, wavefronts, phases = 0, 0, 0
    worst: tuple[int, ...] = ()
    for group in groups:
        active = [lane for lane in group if lanes[lane] is not None]
        if not active:
            continue
        found, conflicting = _phase(active, lanes, unit, positions, serial)
        phases += 1
        wavefronts += found
        if found > ways:
            ways, worst = found, conflicting
    return Conflict(ways, wavefronts, phases, worst)


def _phase(active: list[int], lanes: Lanes, unit: int, positions: int, serial: bool) -> tuple[int, tuple[int, ...]]:
    """How often the busiest bank is needed for the lanes of a phase, and by which of them."""
    words: dict[int, dict[int, int]] = {}
    for lane in active:
        offset = lanes[lane]
        assert offset is not None
        word = offset // unit
        words.setdefault(word % positions, {}).setdefault(lane if serial else word, lane)
    busiest = max(words.values(), key=len)
    return len(busiest), tuple(busiest.values()) if len(busiest) > 1 else ()
