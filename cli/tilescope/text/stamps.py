"""A profile of clock stamps in a few lines: where the time of the warps went, and what measuring it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tilescope_trace.profile.stamps.document import StampedKernel, StampProfile
from tilescope_trace.profile.stamps.shares import SiteShare, shares
from tilescope_trace.profile.stamps.words import cost, waited_for
from tilescope_trace.store.read import RecordingError, open_recording

from .paths import shown, typed

_SHOWN = 8
_LEAST = 0.005
_DEAR = 0.03
"""Overhead from which on it is said what that means."""
_Texts = Mapping[tuple[str, int], str]


def summary(profile: StampProfile, path: Path) -> Iterator[str]:
    """A few lines for each kernel, and where the rest is."""
    for kernel in profile.kernels:
        yield from _kernel(kernel, _texts(kernel, path.parent))
    for note in profile.notes:
        yield f"note: {note}"
    yield f"profile in {shown(str(path))}"
    for recording in sorted({kernel.recording for kernel in profile.kernels if kernel.recording}):
        yield f"  tilescope timeline {typed(path)} --recording {typed(path.parent / recording)}"


def _texts(kernel: StampedKernel, folder: Path) -> _Texts:
    """The Python lines of the kernel's recording, none where it is not there."""
    if kernel.recording is None:
        return {}
    try:
        with open_recording(folder / kernel.recording) as recording:
            sources = recording.sources()
    except RecordingError:
        return {}
    return {
        (source.path, number): line.strip()
        for source in sources
        for number, line in enumerate(source.text.split("\n"), 1)
    }


def _kernel(kernel: StampedKernel, texts: _Texts) -> Iterator[str]:
    grid, block = (" × ".join(map(str, shape)) for shape in (kernel.grid, kernel.block))
    blocks = len({warp.block for warp in kernel.warps})
    launches = f"the last of {kernel.launches} launches" if kernel.launches > 1 else "1 launch"
    yield f"{kernel.symbol}  grid {grid}, block {block}; {blocks} blocks of {launches} sampled"
    yield f"  {_overhead(kernel)}"
    if (kernel.timing.overhead or 0) > _DEAR:
        yield "  sampled blocks run slower, and the launch waits for them: shares hold, its duration does not"
    for side, found in shares(kernel).items():
        yield f"  {side or 'all'} warps"
        for share in found[:_SHOWN]:
            if share.share >= _LEAST:
                spent = f"{share.share:6.1%}  {share.median_cycles:>7,} cycles × {share.times:<7,}"
                yield f"    {spent} {_what(share, side, texts)}"
    full = sum(warp.full for warp in kernel.warps)
    if full:
        yield f"  {full} warps had no room for all their stamps: --stamps keeps more"


def _overhead(kernel: StampedKernel) -> str:
    timing = kernel.timing
    found = cost(timing)
    if found is None:
        return "what the stamps cost was not measured"
    number = min(len(timing.plain_us), len(timing.stamped_us))
    return f"stamps cost {found}, by the medians of {number} launches, with and without"


def _what(share: SiteShare, side: str, texts: _Texts) -> str:
    """``gemm.py:24  T.gemm(A_shared, B_shared, C_local): waits for wgmma``."""
    waiting = _waiting(share.text, side) if share.kind == "wait" else ""
    if not share.origins:
        return f"no known line  {waiting or share.text[:60]}"
    first = share.origins[0]
    text = texts.get((first.file, first.line), share.text)[:70]
    lines = ", ".join(str(place.line) for place in share.origins)
    return f"{shown(first.file)}:{lines}  {text}{f': {waiting}' if waiting else ''}"


def _waiting(text: str, side: str) -> str:
    known = waited_for(text, side)
    return f"waits for {known}" if known else "waits"
