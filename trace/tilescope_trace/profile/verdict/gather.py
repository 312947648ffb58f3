"""Everything that was measured of each recorded kernel, out of several profiles, judged together."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from tilescope_trace.profile.annotations import compile_named
from tilescope_trace.profile.correlate import Join
from tilescope_trace.profile.model import Device, Launch, PartMetrics, Profile
from tilescope_trace.profile.placed import Placed
from tilescope_trace.profile.spans import median
from tilescope_trace.profile.stamps.document import StampedKernel, read
from tilescope_trace.store.read import Recording
from tilescope_worker.annotate.names import compile_id

from .verdict import Measured, Verdict, judge


@dataclass(frozen=True)
class Joined:
    """A profile with its joins, and the samples that were placed."""

    profile: Profile
    joins: Sequence[Join]
    placed: Sequence[Placed | None]


def verdicts(found: Sequence[Joined], recordings: Mapping[Path, Recording]) -> dict[Path, Verdict]:
    """Of each recording that a launch is joined with for sure."""
    made = {}
    for path, recording in recordings.items():
        measured = measured_of(found, path, recording)
        if measured is not None:
            made[path] = judge(measured, recording)
    return made


def measured_of(found: Sequence[Joined], path: Path, recording: Recording) -> Measured | None:
    """What profiles tell of the kernel of one recording; None where none of their launches is joined with it."""
    launches = [launch for one in found for launch in _launches(one, path)]
    if not launches:
        return None
    samples = [
        placed for one in found for placed in one.placed if placed is not None and placed.recording is recording
    ]
    best = max(samples, key=lambda placed: placed.samples.total, default=None)
    device = _device(found, path)
    launch, stamps = _merged(launches), _stamps(found, recording)
    if launch.duration_ns is None and stamps is not None and stamps.timing.plain_us:
        launch = replace(launch, duration_ns=round(statistics.median(stamps.timing.plain_us) * 1000), count=1)
    return Measured(
        launch=launch,
        samples=best.samples if best else None,
        attribution=best.attribution if best else None,
        stamps=stamps,
        device=device.name if device else None,
        multiprocessors=device.multiprocessors if device else None,
        parts=tuple(part for one in found for part in _parts(one, path)),
    )


def _launches(one: Joined, path: Path) -> list[Launch]:
    pairs = zip(one.profile.launches, one.joins, strict=True)
    return [launch for launch, join in pairs if join.recording is not None and join.recording.path == path]


def _parts(one: Joined, path: Path) -> list[PartMetrics]:
    joined = [join.recording is not None and join.recording.path == path for join in one.joins]
    return [part for part in one.profile.parts if 0 <= part.launch < len(joined) and joined[part.launch]]


def _merged(launches: Sequence[Launch]) -> Launch:
    """One launch with all metrics. Its duration is that of the launch whose counters were read, else the median;
    stamps tell none, since sampled blocks are slower."""
    metrics = {name: metric for launch in launches for name, metric in launch.metrics.items()}
    counted = [launch for launch in launches if len(launch.metrics) > 3 and launch.duration_ns]
    timed = [launch for launch in launches if launch.duration_ns and "overhead" not in launch.metrics]
    if counted:
        return replace(counted[0], metrics=metrics)
    if timed:
        typical = median([(launch.duration_ns or 0) // launch.count for launch in timed])
        return replace(timed[0], metrics=metrics, duration_ns=typical, count=1)
    return replace(launches[0], metrics=metrics, duration_ns=None)


def _device(found: Sequence[Joined], path: Path) -> Device | None:
    """The most that any profile with a launch of the kernel tells of a device."""
    devices = [device for one in found if _launches(one, path) for device in one.profile.devices]
    return max(devices, key=lambda device: device.multiprocessors or 0, default=None)


def _stamps(found: Sequence[Joined], recording: Recording) -> StampedKernel | None:
    wanted = compile_id(recording.generated() or "")
    for one in found:
        if any(compile_named(launch.annotation) == wanted for launch in one.profile.launches):
            document = read(one.profile.path)
            kernels = (
                [kernel for kernel in document.kernels if kernel.source_sha256.startswith(wanted)] if document else []
            )
            if kernels:
                return kernels[0]
    return None
