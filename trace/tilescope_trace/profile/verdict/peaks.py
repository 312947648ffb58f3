"""What a launch achieved, against the peak that a document of the vendor's states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.limits import limits_of
from tilescope_trace.limits.model import Peak
from tilescope_trace.profile.model import Launch, Metric

from .work import HALF, Work

_BANDWIDTH = ("Memory Workload Analysis: Memory Throughput", "dram__bytes.sum.per_second")
_SCALES = {"byte/s": 1e-9, "Kbyte/s": 1e-6, "Mbyte/s": 1e-3, "Gbyte/s": 1.0, "Tbyte/s": 1e3}


@dataclass(frozen=True)
class Achieved:
    """A rate and its peak (in ``unit``), as ``document`` states it for ``device``; both None where no document that
    we know states one for this device."""

    what: str
    value: float
    unit: str
    peak: float | None
    device: str | None
    document: str | None

    @property
    def share(self) -> float | None:
        """Of the peak, 0 to 1."""
        return self.value / self.peak if self.peak else None


def peak_of(target: str, device: str | None) -> Peak | None:
    """The peak rates of the product that a profiler calls ``device`` (``NVIDIA H200``); None where not known."""
    limits = limits_of(target)
    if limits is None or device is None:
        return None
    words = device.upper().replace("-", " ").split()
    return next((peak for peak in limits.peaks if peak.device.upper().split()[0] in words), None)


def achieved(launch: Launch, work: Work | None, peak: Peak | None) -> Iterator[Achieved]:
    """Arithmetic and bandwidth of a launch, where they can be told."""
    device, document = (peak.device, peak.document) if peak is not None else (None, None)
    if work is not None and launch.duration_ns:
        rate = work.flop / (launch.duration_ns / max(launch.count, 1)) / 1e3
        known = peak.fp16_tflops if peak is not None and work.dtype in HALF else None
        yield Achieved(f"matrix products on {work.dtype}", rate, "TFLOP/s", known, device, document)
    bandwidth = _bandwidth(launch)
    if bandwidth is not None:
        known = peak.bandwidth_gb_s if peak is not None else None
        yield Achieved("memory", bandwidth, "GB/s", known, device, document)


def _bandwidth(launch: Launch) -> float | None:
    for name in _BANDWIDTH:
        metric = launch.metrics.get(name)
        if isinstance(metric, Metric) and isinstance(metric.value, (int, float)) and metric.unit in _SCALES:
            return float(metric.value) * _SCALES[metric.unit]
    return None
