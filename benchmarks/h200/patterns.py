"""Byte offsets of the 32 lanes of a warp for the probes: regular, merged, swizzled and random ones."""

from __future__ import annotations

import random
from dataclasses import dataclass

SHARED_BYTES = 16 * 1024
LOADS = {"ld1": 1, "ld2": 2, "ld4": 4, "ld8": 8, "ld16": 16}
STORES = {"st1": 1, "st2": 2, "st4": 4, "st8": 8, "st16": 16}
MATRICES = ("ldsm1", "ldsm2", "ldsm4", "ldsm4t", "stsm1", "stsm2", "stsm4")
ASYNC = {"cp4": 4, "cp8": 8, "cp16": 16, "cp16rows": 16}
GLOBAL = {"gld1": 1, "gld2": 2, "gld4": 4, "gld8": 8, "gld16": 16, "gst4": 4, "gst16": 16}


@dataclass(frozen=True)
class Pattern:
    """``lanes`` are byte offsets, -1 where a lane takes no part."""

    probe: str
    name: str
    lanes: tuple[int, ...]


def patterns() -> list[Pattern]:
    """All patterns, in the order they are launched."""
    found: list[Pattern] = []
    for probe, width in (LOADS | STORES).items():
        found += _shapes(probe, width)
    for probe, width in ASYNC.items():
        found += _shapes(probe, width)[::3]
    for probe in MATRICES:
        found += _matrices(probe)
    for probe, width in GLOBAL.items():
        found += _tensors(probe, width)
    found += _shapes("atom4", 4)[:16]
    return found


def _shapes(probe: str, width: int) -> list[Pattern]:
    lanes = range(32)
    shapes: dict[str, list[int]] = {}
    for stride in (1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 32, 33):
        shapes[f"stride {stride}"] = [lane * stride for lane in lanes]
    for count in (1, 2, 4, 8, 16):
        shapes[f"{count} repeated"] = [lane % count for lane in lanes]
        shapes[f"{count} far repeated"] = [lane % count * 128 // min(width, 4) for lane in lanes]
    for group in (2, 4, 8, 16):
        shapes[f"groups of {group}"] = [lane // group for lane in lanes]
        shapes[f"far groups of {group}"] = [lane // group * (128 // width) for lane in lanes]
    shapes["reversed"] = [31 - lane for lane in lanes]
    shapes["rows of 8 swizzled"] = [lane // 8 * (128 // width) + (lane % 8 ^ lane // 8) for lane in lanes]
    shapes["first half"] = [lane * 8 if lane < 16 else -1 for lane in lanes]
    shapes["odd lanes"] = [lane * 8 if lane % 2 else -1 for lane in lanes]
    shapes["four lanes"] = [lane * (128 // width) if lane in (0, 9, 18, 27) else -1 for lane in lanes]
    shapes["one lane"] = [3 if lane == 5 else -1 for lane in lanes]
    for seed, span in enumerate((32, 48, 64, 128, 256, 1024)):
        chosen = random.Random(f"{width} {seed}")
        shapes[f"random of {span}"] = [chosen.randrange(span) for _ in lanes]
        shapes[f"random of {span} in pairs"] = [value for _ in range(16) for value in [chosen.randrange(span)] * 2]
        drawn = [chosen.randrange(span) for _ in lanes]
        shapes[f"random of {span}, even lanes"] = [at if lane % 2 == 0 else -1 for lane, at in enumerate(drawn)]
        shapes[f"random of {span}, in fours apart"] = [drawn[lane - lane // 2 % 2 * 2] for lane in lanes]
        shapes[f"random of {span}, in pairs and fours"] = [
            drawn[lane - lane % 2 if lane % 16 < 8 else lane - lane // 2 % 2 * 2] for lane in lanes
        ]
        shapes[f"random of {span} in halves"] = [chosen.randrange(span) for _ in range(16)] * 2
    return [_pattern(probe, name, units, width) for name, units in shapes.items()]


def _matrices(probe: str) -> list[Pattern]:
    lanes = range(32)
    shapes: dict[str, list[int]] = {}
    for stride in (1, 2, 3, 4, 5, 8, 9, 16):
        shapes[f"row stride {stride}"] = [lane * stride for lane in lanes]
    shapes["16 rows of two"] = [lane % 16 * 4 + lane // 16 for lane in lanes]
    shapes["swizzled 128B"] = [lane % 16 * 8 + (lane // 16 ^ lane % 8) for lane in lanes]
    shapes["swizzled 64B"] = [lane % 16 * 4 + (lane // 16 ^ lane % 8 // 2) for lane in lanes]
    shapes["one row"] = [0 for _ in lanes]
    for seed, span in enumerate((16, 64, 256)):
        chosen = random.Random(f"matrix {seed}")
        shapes[f"random of {span}"] = [chosen.randrange(span) for _ in lanes]
    return [_pattern(probe, name, units, 16) for name, units in shapes.items()]


def _tensors(probe: str, width: int) -> list[Pattern]:
    lanes = range(32)
    shapes: dict[str, list[int]] = {}
    for stride in (1, 2, 4, 8, 16, 33):
        shapes[f"stride {stride}"] = [lane * stride for lane in lanes]
    shapes["shifted by 1"] = [lane + 1 for lane in lanes]
    shapes["rows of 4"] = [lane // 4 * 64 + lane % 4 for lane in lanes]
    shapes["one element"] = [0 for _ in lanes]
    shapes["first half"] = [lane if lane < 16 else -1 for lane in lanes]
    chosen = random.Random("global")
    shapes["random of 512"] = [chosen.randrange(512) for _ in lanes]
    return [_pattern(probe, name, units, width) for name, units in shapes.items()]


def _pattern(probe: str, name: str, units: list[int], width: int) -> Pattern:
    return Pattern(probe, name, tuple(unit * width % SHARED_BYTES if unit >= 0 else -1 for unit in units))
