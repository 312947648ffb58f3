"""Stamps of two versions of a kernel: what each side of the pipeline spends on each operation, and waits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tilescope_trace.profile.stamps.document import StampedKernel
from tilescope_trace.profile.stamps.shares import SiteShare, shares

_Key = tuple[str, str, int, str]


@dataclass(frozen=True)
class SiteDifference:
    """``side`` is producer, consumer or empty; ``kind`` work or wait; ``line`` the Python line in the newer of the
    two. ``cycles`` are medians of one time, ``share`` of the side's time; None where a profile has no such stamp."""

    side: str
    kind: str
    line: int
    share_a: float | None
    share_b: float | None
    cycles_a: int | None
    cycles_b: int | None


def site_differences(
    a: StampedKernel, b: StampedKernel, lines: dict[int, int] | None = None
) -> tuple[SiteDifference, ...]:
    """By the size of the change of share. ``lines`` carries Python lines of ``a`` to those of ``b`` where the source
    has changed; without it they are taken for the same."""
    moved = lines or {}
    found_a, found_b = _sites(a, moved), _sites(b, {})
    made = [_difference(key, found_a.get(key), found_b.get(key)) for key in {**found_a, **found_b}]
    return tuple(sorted(made, key=lambda one: -abs((one.share_b or 0.0) - (one.share_a or 0.0))))


def _sites(kernel: StampedKernel, moved: dict[int, int]) -> dict[_Key, SiteShare]:
    """Several stamps of one line and kind are told apart by their order."""
    found: dict[_Key, SiteShare] = {}
    for side, of_side in shares(kernel).items():
        numbers: dict[tuple[str, int], int] = defaultdict(int)
        for one in sorted(of_side, key=lambda share: share.number):
            line = one.origins[0].line if one.origins else 0
            line = moved.get(line, line)
            place = numbers[one.kind, line]
            numbers[one.kind, line] += 1
            found[side, one.kind, line, f"{one.role} {place}"] = one
    return found


def _difference(key: _Key, a: SiteShare | None, b: SiteShare | None) -> SiteDifference:
    side, kind, line, _ = key
    return SiteDifference(
        side,
        kind,
        line,
        a.share if a else None,
        b.share if b else None,
        a.median_cycles if a else None,
        b.median_cycles if b else None,
    )
