"""How a launch fills the device: waves of blocks, and how evenly SMs (Ascend: cores) are busy."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from .model import NONE, Launch, Profile
from .rows import path_of
from .spans import covered


@dataclass(frozen=True)
class Waves:
    """``full`` waves of ``at_once`` blocks, and ``rest`` blocks in a last one (0 where it is full too)."""

    blocks: int
    at_once: int
    full: int
    rest: int

    @property
    def filled(self) -> float:
        """Share of the places of all waves that have a block."""
        return self.blocks / (self.at_once * (self.full + (self.rest > 0)))


@dataclass(frozen=True)
class Unit:
    """One SM or core: ``blocks`` that were seen on it, ``busy_ns`` in which it has at least one slice."""

    title: str
    lane: int
    blocks: int
    busy_ns: int


def waves_of(launch: Launch, multiprocessors: int | None, blocks_per_sm: int | None) -> Waves | None:
    """None where the grid, the device's SMs or the blocks that one holds are not known."""
    if launch.grid is None or not multiprocessors or not blocks_per_sm:
        return None
    blocks, at_once = math.prod(launch.grid), multiprocessors * blocks_per_sm
    return Waves(blocks, at_once, *divmod(blocks, at_once)) if blocks else None


def units_of(profile: Profile, launches: frozenset[int] | None = None) -> tuple[Unit, ...]:
    """SMs or cores with what lies on them and on the lanes below; of some ``launches`` only where they are given."""
    columns = profile.slices
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    blocks: dict[int, set[int]] = defaultdict(set)
    above = [_unit(profile, lane) for lane in range(len(profile.lanes))]
    for lane, launch, start, duration in zip(
        columns.lane, columns.launch, columns.start_ns, columns.duration_ns, strict=True
    ):
        unit, block = above[lane]
        if unit != NONE and (launches is None or launch in launches):
            spans[unit].append((start, duration))
            if block != NONE:
                blocks[unit].add(block)
    return tuple(
        Unit(profile.lanes[unit].title, unit, len(blocks[unit]), covered(found))
        for unit, found in sorted(spans.items())
    )


def _unit(profile: Profile, lane: int) -> tuple[int, int]:
    """The SM or core, and the block, that a lane lies on; NONE where it lies on none."""
    path = path_of(profile, lane)
    unit = next((one for one in path if profile.lanes[one].kind in ("sm", "core")), NONE)
    block = next((one for one in path if profile.lanes[one].kind == "cta"), NONE)
    return unit, block
