"""What the pages of Nsight Compute say about a launch."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from msgspec.structs import replace

from .model import Launch, Metric
from .nsight_csv import extent_of, number_of

_NS = {
    "ns": 1, "nsecond": 1, "us": 1000, "usecond": 1000, "ms": 10**6, "msecond": 10**6, "s": 10**9, "second": 10**9,
}  # fmt: skip
_BYTES = {"byte": 1, "Kbyte": 1000, "Mbyte": 10**6}


def launch_of(row: Mapping[str, str]) -> Launch:
    """The columns that stand in front of each row."""
    device = number_of(row.get("Device", ""))
    return Launch(
        name=row["Kernel Name"],
        device=None if device is None else int(device),
        grid=extent_of(row.get("Grid Size", "")),
        block=extent_of(row.get("Block Size", "")),
    )


def metric_of(cell: str, unit: str) -> Metric | None:
    """A metric's value: a number where it is one, else its text; None for an empty cell, N/A and NaN."""
    value = number_of(cell)
    if value is not None:
        return Metric(value, unit)
    return None if cell.lower() in ("", "n/a", "nan", "-") else Metric(cell, unit)


def with_metrics(launch: Launch, metrics: Mapping[str, Metric], row: Mapping[str, str]) -> Launch:
    """The launch with metrics of the raw page. Sizes in Kbyte are known to the byte where the cell has digits enough:
    with values of instances it has two."""
    return replace(
        launch,
        metrics=metrics,
        duration_ns=_scaled(metrics.get("gpu__time_duration.sum"), _NS),
        static_shared_bytes=_size("launch__shared_mem_per_block_static", metrics, row),
        dynamic_shared_bytes=_size("launch__shared_mem_per_block_dynamic", metrics, row),
        registers=_whole(metrics.get("launch__registers_per_thread")),
    )


def with_details(launch: Launch) -> Launch:
    """The launch with what its metrics of the details page say. Sizes are rounded to two digits there: they count as
    known in bytes only (``--print-units base``)."""
    return replace(
        launch,
        duration_ns=_scaled(launch.metrics.get("Duration"), _NS),
        static_shared_bytes=_scaled(launch.metrics.get("Static Shared Memory Per Block"), {"byte": 1}),
        dynamic_shared_bytes=_scaled(launch.metrics.get("Dynamic Shared Memory Per Block"), {"byte": 1}),
        registers=_whole(launch.metrics.get("Registers Per Thread")),
    )


def _size(name: str, metrics: Mapping[str, Metric], row: Mapping[str, str]) -> int | None:
    metric = metrics.get(name)
    if metric is None:
        return None
    digits = len(row[name].partition(" (")[0].partition(".")[2])
    factor = _BYTES.get(metric.unit.partition("/")[0], 0)
    return _scaled(metric, _BYTES) if 10**digits >= factor else None


def _scaled(metric: Metric | None, units: Mapping[str, int]) -> int | None:
    if metric is None or not isinstance(metric.value, float):
        return None
    factor = units.get(metric.unit.partition("/")[0])
    try:
        return None if factor is None else round(Decimal(str(metric.value)) * factor)
    except InvalidOperation:
        return None


def _whole(metric: Metric | None) -> int | None:
    return int(metric.value) if metric is not None and isinstance(metric.value, float) else None
