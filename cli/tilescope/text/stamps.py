"""A profile of clock stamps in a few lines: where the time of the warps went, and what measuring it cost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tilescope_trace.profile.stamps.document import StampedKernel, StampProfile
from tilescope_trace.profile.stamps.shares import SiteShare, shares

from .paths import shown

_SHOWN = 8


def summary(profile: StampProfile, path: Path) -> Iterator[str]:
    """A few lines for each kernel, and where the rest is."""
    for kernel in profile.kernels:
        yield from _kernel(kernel)
    for note in profile.notes:
        yield f"note: {note}"
    yield f"profile in {path}"
    for recording in sorted({kernel.recording for kernel in profile.kernels if kernel.recording}):
        yield f"  tilescope view {path.parent / recording} --profile {path}"


def _kernel(kernel: StampedKernel) -> Iterator[str]:
    grid, block = (" × ".join(map(str, shape)) for shape in (kernel.grid, kernel.block))
    blocks = len({warp.block for warp in kernel.warps})
    yield f"{kernel.symbol}  grid {grid}, block {block}; {blocks} blocks sampled, launch {kernel.launches}"
    yield f"  {_overhead(kernel)}"
    for role, found in shares(kernel).items():
        yield f"  warps of the {role}" if role else "  warps"
        for share in found[:_SHOWN]:
            yield f"    {_share(share)}"
    full = sum(warp.full for warp in kernel.warps)
    if full:
        yield f"  {full} warps had no room for all their stamps: --stamps keeps more"


def _overhead(kernel: StampedKernel) -> str:
    timing = kernel.timing
    if timing.overhead is None:
        return "what the stamps cost was not measured"
    number = min(len(timing.plain_us), len(timing.stamped_us))
    return f"stamps cost {timing.overhead:+.1%} (medians of {number} launches, with and without)"


def _share(share: SiteShare) -> str:
    places = ", ".join(str(place.line) for place in share.origins) or "unknown"
    file = f"{shown(share.origins[0].file)}:" if share.origins else "line "
    word = "waits" if share.kind == "wait" else ""
    return f"{share.share:6.1%}  {file}{places}  {word or share.text[:60]}"
