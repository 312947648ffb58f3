"""Sectors of global memory that one instruction of a warp touches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SECTOR = 32
"""Bytes of a sector of NVIDIA GPUs: the least that a request to global memory moves."""


@dataclass(frozen=True)
class Sectors:
    """``touched`` sectors, the fewest that hold the bytes asked for (``ideal``), and the share of the bytes of the
    touched ones that is asked for (``use``)."""

    touched: int
    ideal: int
    use: float


def sectors(offsets: Iterable[int | None], width: int) -> Sectors:
    """What lanes touch that move ``width`` bytes at ``offsets`` from the (aligned) start of a tensor."""
    starts = {offset for offset in offsets if offset is not None}
    touched = {sector for start in starts for sector in range(start // SECTOR, (start + width - 1) // SECTOR + 1)}
    wanted, end = 0, None
    for start in sorted(starts):
        wanted += width if end is None or start >= end else start + width - end
        end = start + width
    if not touched:
        return Sectors(0, 0, 1.0)
    return Sectors(len(touched), -(-wanted // SECTOR), wanted / (SECTOR * len(touched)))
