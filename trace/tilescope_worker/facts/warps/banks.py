"""Bank conflicts of one shared-memory instruction of a warp.

Shared memory has 32 banks of 4 bytes. An instruction is served in phases of as many lanes as can move 128 bytes; in
each phase a bank gives one 32-bit word, so a phase takes as many passes (*wavefronts*) as the bank with the most
different words has. Lanes that touch one word share it. That, the merging of phases below, and atomics were measured
on an H200 (docs/bank-conflicts.md):

- loads of 8 bytes take one phase instead of two, and those of 16 bytes two instead of four, if in the lanes of the
  merged phase each touches the address of its neighbour (lane xor 1), or each that of lane xor 2;
- stores are never merged;
- matrix instructions move rows of 16 bytes, eight a phase, whose addresses come from eight lanes;
- atomics and asynchronous copies of 4 and 8 bytes serve lanes of one word one after the other.

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


def conflict(lanes: Lanes, width: int, kind: Kind, lines: Sequence[int | None] | None = None) -> Conflict:
    """Conflicts of an instruction of NVIDIA GPUs that moves ``width`` bytes for each lane, at offsets aligned to it.

    ``lines`` are the cache lines that asynchronous copies of 16 bytes read for each lane: data of different lines
    arrive one after the other. For matrix instructions ``lanes`` are those that give addresses, and ``width`` is 16.
    """
    return _served(lanes, width, _phases(lanes, width, kind), kind, lines)


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
    return _served(lanes, width, groups, kind, None)


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


def _served(
    lanes: Lanes, width: int, groups: Sequence[Sequence[int]], kind: Kind, lines: Sequence[int | None] | None
) -> Conflict:
    unit = max(width, WORD)
    positions = BANKS * WORD // unit
    serial = kind == "atomic" or (kind == "async" and width < 16)
    ways, wavefronts, phases = 0, 0, 0
    worst: tuple[int, ...] = ()
    for group in groups:
        active = [lane for lane in group if lanes[lane] is not None]
        if not active:
            continue
        phases += 1
        for part in _by_line(active, lines):
            found, conflicting = _part(part, lanes, unit, positions, serial)
            wavefronts += found
            if found > ways:
                ways, worst = found, conflicting
    return Conflict(ways, wavefronts, phases, worst)


def _by_line(active: list[int], lines: Sequence[int | None] | None) -> list[list[int]]:
    if lines is None:
        return [active]
    parts: dict[int | None, list[int]] = {}
    for lane in active:
        parts.setdefault(lines[lane], []).append(lane)
    return list(parts.values())


def _part(part: list[int], lanes: Lanes, unit: int, positions: int, serial: bool) -> tuple[int, tuple[int, ...]]:
    """How often the busiest bank is needed for the lanes of ``part``, and by which of them."""
    words: dict[int, dict[int, int]] = {}
    for lane in part:
        offset = lanes[lane]
        assert offset is not None
        word = offset // unit
        words.setdefault(word % positions, {}).setdefault(lane if serial else word, lane)
    busiest = max(words.values(), key=len)
    return len(busiest), tuple(busiest.values()) if len(busiest) > 1 else ()
