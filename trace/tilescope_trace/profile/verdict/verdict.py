"""One launch judged: the bound with its evidence, rates against peaks, remarks. Never a bare score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.profile.attribute import Attribution
from tilescope_trace.profile.model import Launch, PartMetrics, Samples
from tilescope_trace.profile.stamps.document import StampedKernel
from tilescope_trace.store.read import Recording

from .evidence import ALL, Bound, Evidence, from_counters, from_samples, from_stamps
from .peaks import Achieved, achieved, peak_of
from .pipes import from_pipes
from .remarks import Remark, remarks
from .work import work_of


@dataclass(frozen=True)
class Measured:
    """What was measured of one launch, as far as there is any of it; ``device`` and ``multiprocessors`` are what the
    profiler says."""

    launch: Launch
    samples: Samples | None = None
    attribution: Attribution | None = None
    stamps: StampedKernel | None = None
    device: str | None = None
    multiprocessors: int | None = None
    parts: tuple[PartMetrics, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """``bound`` is ``unknown`` where the measurements leave more than one of ``possible``, or none since they
    contradict each other. ``missing`` names what would tell more."""

    bound: Bound | Literal["unknown"]
    possible: tuple[Bound, ...]
    evidence: tuple[str, ...]
    achieved: tuple[Achieved, ...]
    remarks: tuple[Remark, ...]
    missing: tuple[str, ...]


def judge(measured: Measured, recording: Recording | None) -> Verdict:
    """The verdict on one launch; without its recording there are no rates of arithmetic and no remarks."""
    found = list(_evidence(measured))
    possible = tuple(bound for bound in sorted(ALL) if all(bound in one.leaves for one in found))
    if not possible:
        found.append(Evidence("the measurements contradict each other"))
    kernel = recording.info.kernel if recording is not None else None
    placed = measured.attribution if measured.attribution is not None and measured.attribution.python else None
    work = work_of(recording) if recording is not None else None
    rates = tuple(achieved(measured.launch, work, peak_of(kernel.target if kernel else "", measured.device)))
    said = remarks(kernel, placed, measured.stamps, measured.multiprocessors) if kernel else ()
    return Verdict(
        bound=possible[0] if len(possible) == 1 else "unknown",
        possible=possible,
        evidence=tuple(one.text for one in found),
        achieved=rates,
        remarks=tuple(said),
        missing=tuple(_missing(measured, recording, rates)),
    )


def _evidence(measured: Measured) -> Iterator[Evidence]:
    yield from from_counters(measured.launch)
    yield from from_pipes(measured.launch, measured.parts)
    if measured.stamps is not None:
        yield from from_stamps(measured.stamps)
    if measured.samples is not None:
        yield from from_samples(measured.samples)


def _missing_on_cuda(measured: Measured) -> Iterator[str]:
    if not any("Throughput" in name or "throughput" in name for name in measured.launch.metrics):
        yield "counters: ncu --section SpeedOfLight --section MemoryWorkloadAnalysis"
    if measured.samples is None:
        yield "samples: ncu --section SourceCounters"
    if measured.stamps is None:
        yield "stamps: tilescope profile -- CMD"


def _missing(measured: Measured, recording: Recording | None, rates: tuple[Achieved, ...]) -> Iterator[str]:
    if recording is None:
        yield "a recording of the kernel: what the lowering made of it"
    if recording is not None and recording.info.kernel.target.partition(":")[0] == "ascend":
        if not any(from_pipes(measured.launch, measured.parts)):
            yield "how busy its pipes are: msprof op --aic-metrics=PipeUtilization"
        if measured.samples is None:
            yield "cost of its instructions: msprof op simulator, compiled with -g"
    else:
        yield from _missing_on_cuda(measured)
    if any(rate.peak is None for rate in rates):
        yield f"peak rates of {measured.device or 'the device, which the profile does not name'}"
