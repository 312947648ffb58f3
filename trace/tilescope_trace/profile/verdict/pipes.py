"""What bounds a kernel on Ascend, from how busy the pipes of its cores are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from tilescope_trace.profile.model import Launch, Metric, PartMetrics

from .evidence import ALL, Bound, Evidence

BUSY = 0.8
"""Share of a core's cycles from which on a pipe is the bound; with all below, pipes wait for each other (msopprof,
roofline.cpp: pipeThreshold)."""

_PIPES: tuple[tuple[str, tuple[str, ...], frozenset[Bound]], ...] = (
    ("the cube", ("aic_cube_ratio", "aic_mac_ratio"), frozenset({"compute"})),
    ("the vector unit", ("aiv_vec_ratio", "aic_vec_ratio"), frozenset({"compute"})),
    ("MTE1", ("aic_mte1_ratio",), frozenset({"memory"})),
    ("MTE2", ("aic_mte2_ratio", "aiv_mte2_ratio"), frozenset({"memory"})),
    ("MTE3", ("aic_mte3_ratio", "aiv_mte3_ratio"), frozenset({"memory"})),
    ("FIXPIPE", ("aic_fixpipe_ratio",), frozenset({"memory"})),
    ("the scalar unit", ("aic_scalar_ratio", "aiv_scalar_ratio"), ALL - {"memory"}),
)


def from_pipes(launch: Launch, parts: Sequence[PartMetrics]) -> Iterator[Evidence]:
    """From the shares of cycles in which each pipe is busy: of the cores where they were measured one by one (their
    mean), else of the launch."""
    every = [one.metrics for one in parts] or [launch.metrics]
    found = [(share, pipe, leaves) for pipe, names, leaves in _PIPES for share in [_busiest(every, names)] if share]
    if len(found) < 2:  # one pipe alone tells nothing of the others
        return
    share, pipe, leaves = max(found, key=lambda one: one[0])
    words = f"{pipe} is busy in {share:.0%} of its cores' cycles"
    if share >= BUSY:
        yield Evidence(words, leaves)
    else:
        yield Evidence(f"{words}, more than any other pipe: they wait for each other", frozenset({"latency"}))


def _busiest(every: Sequence[Mapping[str, Metric]], names: Sequence[str]) -> float | None:
    """The mean over the cores, for the kind of core (cube or vector) in which it is largest."""
    means = [fmean(values) for name in names if (values := _values(every, name))]
    return max(means, default=None)


def _values(every: Sequence[Mapping[str, Metric]], name: str) -> list[float]:
    metrics = [metrics[name] for metrics in every if name in metrics]
    return [float(metric.value) for metric in metrics if isinstance(metric.value, (int, float))]
