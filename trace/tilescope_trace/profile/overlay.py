"""One profile laid over one recording: its launches of that kernel, and its samples on the kernel's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .correlate import Join, correlate
from .load import load_profiles
from .model import Profile
from .placed import Codes, Placed, placed
from .recorded import recorded_kernel


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
    kernel = recorded_kernel(recording)
    joins: list[Join] = [join for profile in profiles for join in correlate(profile, [kernel])]
    reasons = list(dict.fromkeys(join.reason for join in joins))
    nothing = [profile.nothing_to_show for profile in profiles if profile.nothing_to_show]
    return "; ".join([*reasons[:3], *nothing[:1]]) or "it has no launches"
