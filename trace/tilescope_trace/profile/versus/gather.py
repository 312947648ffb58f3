"""Profiles of two versions of a kernel, compared wherever both sides were measured in the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.placed import Codes, placed
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.profile.verdict.gather import Joined, measured_of
from tilescope_trace.profile.verdict.verdict import Measured
from tilescope_trace.store.read import Recording

from .lanes import LaneDifference, lane_differences
from .lines import LineDifference, Side, line_differences
from .sites import SiteDifference, site_differences


@dataclass(frozen=True)
class Versus:
    """``duration_ns`` of the launches; ``missing`` says what could not be compared, and why."""

    duration_ns_a: int | None
    duration_ns_b: int | None
    lines: tuple[LineDifference, ...]
    stamps: tuple[SiteDifference, ...]
    lanes: tuple[LaneDifference, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Given:
    """One side as it is given: a recording, profiles of it, and machine code to attribute samples with."""

    recording: Recording
    profiles: Sequence[Path]
    codes: Sequence[Path] = ()


def versus(a: Given, b: Given) -> Versus:
    """Compare them. Raises ProfileError for what cannot be read."""
    joined_a, joined_b = _joined(a), _joined(b)
    old, new = _measured(a, joined_a), _measured(b, joined_b)
    side_a, side_b = _side(a, old), _side(b, new)
    lines = line_differences(side_a, side_b) if side_a and side_b else ()
    moved = {
        one.a.line: one.b.line
        for one in lines
        if one.a is not None and one.b is not None and one.a.line != one.b.line
    }
    stamps_a, stamps_b = old.stamps if old else None, new.stamps if new else None
    return Versus(
        duration_ns_a=old.launch.duration_ns if old else None,
        duration_ns_b=new.launch.duration_ns if new else None,
        lines=lines,
        stamps=site_differences(stamps_a, stamps_b, moved) if stamps_a and stamps_b else (),
        lanes=tuple(_lanes(joined_a, joined_b)),
        missing=tuple(_missing((old, new), (side_a, side_b))),
    )


def _joined(given: Given) -> list[Joined]:
    known = [recorded_kernel(given.recording)]
    codes = Codes(given.codes)
    found = []
    for profile in (profile for path in given.profiles for profile in load_profiles(path)):
        joins = correlate(profile, known)
        found.append(Joined(profile, joins, placed(profile, joins, {given.recording.path: given.recording}, codes)))
    return found


def _measured(given: Given, joined: Sequence[Joined]) -> Measured | None:
    return measured_of(joined, given.recording.path, given.recording)


def _side(given: Given, measured: Measured | None) -> Side | None:
    if measured is None or measured.attribution is None or not measured.attribution.python:
        return None
    return Side(measured.attribution, given.recording, measured.launch.duration_ns)


def _lanes(a: Sequence[Joined], b: Sequence[Joined]) -> Iterator[LaneDifference]:
    """Of the first profile of each format that both sides have, unless all its launches are of other kernels."""
    others = {one.profile.format: one.profile for one in reversed(b) if _may_be_of(one)}
    seen = set()
    for one in filter(_may_be_of, a):
        partner = others.get(one.profile.format)
        if partner is not None and one.profile.format not in seen:
            seen.add(one.profile.format)
            yield from lane_differences(one.profile, partner)


def _may_be_of(one: Joined) -> bool:
    return not one.joins or any(join.match != "none" for join in one.joins)


def _missing(
    measured: tuple[Measured | None, Measured | None], sides: tuple[Side | None, Side | None]
) -> Iterator[str]:
    for name, one, side in zip("AB", measured, sides, strict=True):
        if one is None:
            yield f"{name}: no launch of its profiles is of the recorded kernel"
            continue
        if one.samples is None:
            yield f"{name}: no samples (ncu --section SourceCounters), so that lines are not compared"
        elif side is None:
            reasons = "; ".join(one.attribution.unplaced) if one.attribution else "its launch is not joined"
            yield f"{name}: its samples are on no Python line, so that lines are not compared: {reasons}"
        if one.stamps is None:
            yield f"{name}: no stamps (tilescope profile -- CMD), so that producers and consumers are not compared"
