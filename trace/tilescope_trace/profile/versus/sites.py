"""Stamps of two versions of a kernel: what each side of the pipeline spends on each operation, and waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.profile.stamps.document import StampedKernel
from tilescope_trace.profile.stamps.shares import SiteShare, shares
from tilescope_trace.profile.stamps.words import waited_for

_Key = tuple[str, str, int, str | None]


@dataclass(frozen=True)
class SiteDifference:
    """``side`` is producer, consumer or empty; ``kind`` work or wait; ``line`` the Python line in the newer of the
    two, 0 where it is not known; ``waits_for`` data, a free stage, wgmma ..., None for work and where none is known.

    All stamps of one side, kind, line and reason together: ``share`` of the side's time, and ``cycles`` of one time,
    medians added up, each as often as it comes for one of that which comes most often. None where a side has none."""

    side: str
    kind: str
    line: int
    share_a: float | None
    share_b: float | None
    cycles_a: int | None
    cycles_b: int | None
    waits_for: str | None = None


def site_differences(
    a: StampedKernel, b: StampedKernel, lines: dict[int, int] | None = None
) -> tuple[SiteDifference, ...]:
    """By the size of the change of share. ``lines`` carries Python lines of ``a`` to those of ``b`` where the source
    has changed; without it they are taken for the same."""
    moved = lines or {}
    found_a, found_b = _sites(a, moved), _sites(b, {})
    made = [_difference(key, found_a.get(key), found_b.get(key)) for key in {**found_a, **found_b}]
    return tuple(sorted(made, key=lambda one: -abs((one.share_b or 0.0) - (one.share_a or 0.0))))


def _sites(kernel: StampedKernel, moved: dict[int, int]) -> dict[_Key, tuple[float, int]]:
    """Share and cycles of each."""
    found: dict[_Key, list[SiteShare]] = {}
    for side, of_side in shares(kernel).items():
        for one in of_side:
            line = one.origins[0].line if one.origins else 0
            awaited = waited_for(one.text, side) if one.kind == "wait" else None
            found.setdefault((side, one.kind, moved.get(line, line), awaited), []).append(one)
    return {key: (sum(one.share for one in stamps), _cycles(stamps)) for key, stamps in found.items()}


def _cycles(stamps: Sequence[SiteShare]) -> int:
    return round(sum(one.median_cycles * one.times for one in stamps) / max(one.times for one in stamps))


def _difference(key: _Key, a: tuple[float, int] | None, b: tuple[float, int] | None) -> SiteDifference:
    side, kind, line, awaited = key
    (share_a, cycles_a), (share_b, cycles_b) = a or (None, None), b or (None, None)
    return SiteDifference(side, kind, line, share_a, share_b, cycles_a, cycles_b, awaited)
