"""Profiles of ``tilescope profile``: what the warps of a few sampled blocks did, statement by statement."""

from __future__ import annotations

import math

from tilescope_trace.profile.annotations import COMPILE_PREFIX
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonfile import read_json
from tilescope_trace.profile.model import GENERATED, NONE, Device, Frames, Launch, Metric, Place, Profile
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.stamps.document import SCHEMA, StampedKernel, StampProfile, StampSite, WarpStamps
from tilescope_trace.profile.stamps.shares import intervals, side
from tilescope_trace.profile.stamps.words import cost, waited_for
from tilescope_worker.annotate.names import id_of_digest

NAME = "tilescope stamps"

_EXPECTED = f"a profile of the schema {SCHEMA}"


def recognise(source: Source) -> bool:
    """The schema's tag."""
    return f'"{SCHEMA}"'.encode() in source.head[:400]


def load(source: Source) -> Profile:
    """A lane for each sampled warp below its block and its SM, a slice from each stamp to the next. The annotation of
    a launch names its compile, so that it is joined exactly."""
    profile = read_json(source, StampProfile, _EXPECTED)
    build = ProfileBuilder(source.path, NAME)
    _device(build, profile)
    for note in profile.notes:
        build.note(note)
    for number, kernel in enumerate(profile.kernels):
        _kernel(source, build, number, kernel)
    return build.finish("no kernel was launched with stamps")


def _device(build: ProfileBuilder, profile: StampProfile) -> None:
    known = profile.device
    name, count = known.get("name"), known.get("multiprocessors")
    if isinstance(name, str):
        build.devices.append(Device(0, name, None, count if isinstance(count, int) else None))


def _kernel(source: Source, build: ProfileBuilder, number: int, kernel: StampedKernel) -> None:
    ghz = kernel.clock_ghz
    if ghz is not None and not 0 < ghz < math.inf:
        raise ProfileError(source.path, f"a clock of {ghz} GHz", _EXPECTED, f"kernel {kernel.symbol}")
    sites = {site.number: site for site in kernel.sites}
    starts = [warp.start_ns for warp in kernel.warps]
    ends = [warp.end_ns for warp in kernel.warps if warp.end_ns is not None]
    launch = build.launch(
        Launch(
            name=kernel.symbol,
            start_ns=min(starts, default=None),
            duration_ns=max(ends) - min(starts) if ends else None,
            grid=kernel.grid,
            block=kernel.block,
            annotation=COMPILE_PREFIX + id_of_digest(kernel.source_sha256),
            metrics=_metrics(kernel),
        )
    )
    _say(build, kernel)
    for warp in kernel.warps:
        lane, of = _lane(build, number, warp), side(kernel, warp)
        for site, first, end in intervals(warp):
            if site not in sites:
                raise ProfileError(source.path, f"a stamp {site} has no site", _EXPECTED, f"kernel {kernel.symbol}")
            start, stop = (round(cycles / (ghz or 1.0)) for cycles in (first, end))
            place = build.place(_frames(sites[site]))
            build.slice(
                lane, _name(sites[site], of), warp.start_ns + start, stop - start, sites[site].text, place, launch
            )


def _name(site: StampSite, side: str) -> str:
    """``work``, ``wait for data``, or ``wait`` where it is not known for what."""
    awaited = waited_for(site.text, side) if site.kind == "wait" else None
    return f"wait for {awaited}" if awaited else site.kind


def _metrics(kernel: StampedKernel) -> dict[str, Metric]:
    known = {
        "launches": Metric(float(kernel.launches)),
        "clock": Metric(kernel.clock_ghz, "GHz") if kernel.clock_ghz is not None else None,
        "overhead": Metric(kernel.timing.overhead) if kernel.timing.overhead is not None else None,
    }
    return {name: metric for name, metric in known.items() if metric is not None}


def _say(build: ProfileBuilder, kernel: StampedKernel) -> None:
    total = kernel.grid[0] * kernel.grid[1] * kernel.grid[2]
    sampled = len({warp.block for warp in kernel.warps})
    found = cost(kernel.timing)
    said = "what stamps cost was not measured" if found is None else f"stamps cost {found}"
    build.note(f"{kernel.symbol}: {sampled} of {total} blocks are sampled; {said}")
    full = sum(warp.full for warp in kernel.warps)
    if full:
        build.note(f"{kernel.symbol}: {full} warps had no room for all their stamps; later ones are missing")
    if kernel.clock_ghz is None:
        build.note(f"{kernel.symbol}: the clock's rate is not known: lengths are in cycles, shown as ns")


def _lane(build: ProfileBuilder, number: int, warp: WarpStamps) -> int:
    sm = build.lane(("sm", warp.sm), f"SM {warp.sm}", "sm", NONE, warp.sm)
    block = build.lane(("block", number, warp.block), f"block {warp.block}", "cta", sm, warp.block)
    return build.lane(("warp", number, warp.block, warp.warp), f"warp {warp.warp}", "warp", block, warp.warp)


def _frames(site: StampSite) -> Frames:
    """The generated line, and the Python line that causes it where it is known."""
    python = tuple(Place(origin.file, origin.line) for origin in site.origins[:1])
    return (Place(GENERATED, site.line), *python)
