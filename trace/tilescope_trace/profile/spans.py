"""How much of the time something happens on a lane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .model import Profile


@dataclass(frozen=True)
class LaneUse:
    """``slices`` on one lane itself, and ``busy_ns`` in which there is at least one of them."""

    slices: int
    busy_ns: int


def lane_uses(profile: Profile) -> tuple[LaneUse, ...]:
    """Of every lane, in the order of ``profile.lanes``."""
    columns = profile.slices
    by_lane: list[list[int]] = [[] for _ in profile.lanes]
    for index, lane in enumerate(columns.lane):
        by_lane[lane].append(index)
    return tuple(
        LaneUse(len(indices), covered((columns.start_ns[at], columns.duration_ns[at]) for at in indices))
        for indices in by_lane
    )


def covered(spans: Iterable[tuple[int, int]]) -> int:
    """Nanoseconds that lie in at least one of the spans (start, duration)."""
    total, end = 0, None
    for start, duration in sorted(spans):
        begin = start if end is None else max(start, end)
        total += max(0, start + duration - begin)
        end = max(start + duration, end if end is not None else start)
    return total


def extent(profile: Profile) -> tuple[int, int] | None:
    """First start and last end of all slices, None where there are none."""
    columns = profile.slices
    if not len(columns):
        return None
    return min(columns.start_ns), max(
        start + duration for start, duration in zip(columns.start_ns, columns.duration_ns, strict=True)
    )


def median(values: Sequence[int]) -> int:
    """The middle one, the upper of two."""
    return sorted(values)[len(values) // 2]
