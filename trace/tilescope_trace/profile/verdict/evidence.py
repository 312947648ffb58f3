"""What points to compute, memory or latency as the bound of a launch, from each kind of measurement."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.profile.model import Launch, Samples
from tilescope_trace.profile.stalls import top_stall
from tilescope_trace.profile.stamps.document import StampedKernel
from tilescope_trace.profile.stamps.shares import SiteShare, shares

Bound = Literal["compute", "memory", "latency"]

ALL: frozenset[Bound] = frozenset({"compute", "memory", "latency"})
BUSY = 60.0
"""Percent of a unit's peak from which on Nsight Compute calls it the bound; with all below it, latency (rule of the
section GPU Speed Of Light)."""
BALANCED = 10.0
"""Points of percent within which Nsight Compute calls compute and memory balanced (the same rule)."""
MOSTLY = 0.5
"""Share of a side's time that decides for stamps: more than half of it."""

_COMPUTE = ("Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed")
_MEMORY = ("Memory Throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed")
_DRAM = ("DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")


@dataclass(frozen=True)
class Evidence:
    """A sentence, and the bounds that it leaves possible; all of them where it only describes."""

    text: str
    leaves: frozenset[Bound] = ALL


def from_counters(launch: Launch) -> Iterator[Evidence]:
    """From Nsight Compute's throughputs."""
    compute, memory, dram = (_percent(launch, names) for names in (_COMPUTE, _MEMORY, _DRAM))
    if compute is None or memory is None:
        return
    words = f"SM throughput is {compute:.0f}% of peak, memory throughput {memory:.0f}%"
    words += f" (DRAM {dram:.0f}%)" if dram is not None else ""
    if max(compute, memory) < BUSY:
        yield Evidence(f"{words}: neither is near its peak", frozenset({"latency"}))
    elif abs(compute - memory) < BALANCED:
        yield Evidence(f"{words}: balanced", frozenset({"compute", "memory"}))
    elif compute >= memory:
        yield Evidence(words, frozenset({"compute"}))
    else:
        where = "DRAM" if dram is not None and dram >= BUSY else "caches or shared memory"
        yield Evidence(f"{words}: the busiest part is {where}", frozenset({"memory"}))


def from_stamps(kernel: StampedKernel) -> Iterator[Evidence]:
    """From launches of the plain kernel, and the time of producers and consumers in the one with stamps."""
    plain = kernel.timing.plain_us
    if plain:
        number = "1 launch" if len(plain) == 1 else f"the median of {len(plain)} launches"
        yield Evidence(f"{number} without stamps took {statistics.median(plain):,.1f} µs on a cold L2 cache")
    sides = shares(kernel)
    if not {"producer", "consumer"} <= sides.keys():
        return
    for_data = _waiting(sides["consumer"])
    for_room = _waiting(sides["producer"])
    words = (
        f"consumer warps wait {for_data:.0%} of their time for data, producer warps {for_room:.0%} for a free stage"
    )
    if for_data > MOSTLY and for_room < MOSTLY:
        yield Evidence(f"{words}: loads are late", ALL - {"compute"})
    elif for_room > MOSTLY and for_data < MOSTLY:
        yield Evidence(f"{words}: loads are in time", ALL - {"memory"})
    else:
        yield Evidence(words)


def from_samples(samples: Samples) -> Iterator[Evidence]:
    """The reason that warps stall for most."""
    reason = top_stall(samples.stalls)
    if reason is not None and samples.total:
        yield Evidence(f"most stalls are for {reason} ({samples.stalls[reason] / samples.total:.0%} of samples)")


def _waiting(found: list[SiteShare]) -> float:
    """Share of the time at barriers of the pipeline."""
    return sum(one.share for one in found if one.kind == "wait" and one.role == "barrier")


def _percent(launch: Launch, names: tuple[str, ...]) -> float | None:
    for name in names:
        metric = launch.metrics.get(name)
        if metric is not None and isinstance(metric.value, (int, float)) and metric.unit == "%":
            return float(metric.value)
    return None
