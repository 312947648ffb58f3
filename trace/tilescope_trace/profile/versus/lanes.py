"""How busy the lanes of two profiles are. Lanes are matched by their titles and those they lie under, but for the SM:
which one a block ran on is chance."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_trace.profile.model import NONE, Profile
from tilescope_trace.profile.spans import extent, lane_uses


@dataclass(frozen=True)
class LaneDifference:
    """A lane by its titles, outermost first; numbers are None where a profile has no such lane. ``busy`` is the part
    of its profile's time in which the lane has a slice, 0 to 1."""

    path: tuple[str, ...]
    kind: str
    slices_a: int | None
    slices_b: int | None
    busy_ns_a: int | None
    busy_ns_b: int | None
    busy_a: float | None
    busy_b: float | None


def lane_differences(a: Profile, b: Profile) -> tuple[LaneDifference, ...]:
    """All lanes with slices in either profile, in the order of the first, then those of the second alone."""
    found_a, found_b = _lanes(a), _lanes(b)
    return tuple(_difference(path, found_a.get(path), found_b.get(path)) for path in {**found_a, **found_b})


@dataclass(frozen=True)
class _Used:
    kind: str
    slices: int
    busy_ns: int
    busy: float


def _lanes(profile: Profile) -> dict[tuple[str, ...], _Used]:
    ends = extent(profile)
    whole = max(ends[1] - ends[0], 1) if ends is not None else 1
    found: dict[tuple[str, ...], _Used] = {}
    for index, use in enumerate(lane_uses(profile)):
        if use.slices:
            lane = profile.lanes[index]
            found[_path(profile, index)] = _Used(lane.kind, use.slices, use.busy_ns, use.busy_ns / whole)
    return found


def _path(profile: Profile, lane: int) -> tuple[str, ...]:
    titles: list[str] = []
    while lane != NONE:
        if profile.lanes[lane].kind != "sm" or not titles:
            titles.insert(0, profile.lanes[lane].title)
        lane = profile.lanes[lane].parent
    return tuple(titles)


def _difference(path: tuple[str, ...], a: _Used | None, b: _Used | None) -> LaneDifference:
    kind = next(used.kind for used in (a, b) if used is not None)
    return LaneDifference(
        path=path,
        kind=kind,
        slices_a=a.slices if a else None,
        slices_b=b.slices if b else None,
        busy_ns_a=a.busy_ns if a else None,
        busy_ns_b=b.busy_ns if b else None,
        busy_a=a.busy if a else None,
        busy_b=b.busy if b else None,
    )
