"""One profile laid over one recording: its launches of that kernel, and its samples on the kernel's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .compared import name_fits
from .correlate import correlate
from .load import load_profiles
from .model import Profile
from .placed import Codes, Placed, placed
from .recorded import recorded_kernel

MOST_NAMES = 4
"""Kernels that a message names."""


@dataclass(frozen=True)
class Overlay:
    """``launches`` are indices into ``profile.launches``; ``reason`` says why they are of the recorded kernel.
    ``placed`` are the samples of one of them, that with most; None where the profile has none."""

    profile: Profile
    launches: tuple[int, ...]
    reason: str
    placed: Placed | None = None


def overlays(paths: Sequence[Path], recording: Recording, codes: Sequence[Path] = ()) -> tuple[Overlay, ...]:
    """An overlay for each profile in the files and folders with launches of the recorded kernel. Raises UsageError
    for a path in which no profile has any, with the reasons."""
    code = Codes(codes)
    found: list[Overlay] = []
    for path in paths:
        profiles = load_profiles(path)
        fitting = [one for profile in profiles if (one := _overlay(profile, recording, code)) is not None]
        if not fitting:
            raise UsageError(
                f"{path} has no launch of {recording.info.kernel.qualname}: {_reasons(profiles, recording)}"
            )
        found += fitting
    return tuple(found)


def _overlay(profile: Profile, recording: Recording, code: Codes) -> Overlay | None:
    joins = correlate(profile, [recorded_kernel(recording)])
    launches = tuple(index for index, join in enumerate(joins) if join.match != "none")
    if not launches:
        return None
    every = placed(profile, joins, {recording.path: recording}, code)
    best = max((one for one in every if one is not None), key=lambda one: one.samples.total, default=None)
    return Overlay(profile, launches, joins[launches[0]].reason, best)


def _reasons(profiles: Sequence[Profile], recording: Recording) -> str:
    """Why nothing fits: what a kernel of that name differs in, else the names there are."""
    kernel = recorded_kernel(recording)
    nothing = [profile.nothing_to_show for profile in profiles if profile.nothing_to_show]
    launches = [launch for profile in profiles for launch in profile.launches]
    if not launches:
        return nothing[0] if nothing else "it has no launches"
    namesakes = [launch for launch in launches if not launch.name or name_fits(launch, kernel)]
    if namesakes:
        joins = [join for profile in profiles for join in correlate(profile, [kernel])]
        return next(join.reason for join, one in zip(joins, launches, strict=True) if one in namesakes)
    names = list(dict.fromkeys(launch.name for launch in launches))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"it launches {', '.join(names[:MOST_NAMES])}{more}"
