"""What each core of a launch did, as text: how long it ran, how busy its pipes were, how even that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rich.table import Table

from tilescope_trace.profile.timeline import TimelineMetric, TimelinePart

from .terminal.controls import visible

MOST_PARTS = 12
"""Parts that are listed one by one; more of them are summed up by their kind of core."""

_TIME = ("aic_time", "aiv_time", "duration")
_SHARES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cube", ("aic_cube_ratio", "aic_mac_ratio", "Cube All Active share")),
    ("vector", ("aiv_vec_ratio", "aic_vec_ratio", "Vector All Active0 share", "Vector All Active1 share")),
    ("MTE1", ("aic_mte1_ratio",)),
    ("MTE2", ("aic_mte2_ratio", "aiv_mte2_ratio")),
    ("MTE3", ("aic_mte3_ratio", "aiv_mte3_ratio")),
    ("FIXP", ("aic_fixpipe_ratio",)),
    ("scalar", ("aic_scalar_ratio", "aiv_scalar_ratio")),
    ("waiting", ("aic_cube_wait_ratio", "aiv_vec_wait_ratio", "Cube Wait share")),
    ("L2 hits", ("aic_total_hit_rate", "aiv_total_hit_rate", "L2cache_hit_rate")),
)
"""Columns, and the metrics of Ascend's tools that they show; ratios are of the core's own cycles."""


def parts_table(parts: Sequence[TimelinePart]) -> Table | None:
    """Shares of time in % by core, or the range over the cores of each kind where there are many; None where no part
    has any of the metrics that are shown."""
    rows = [(one.part, _time(one.metrics), [_share(one.metrics, names) for _, names in _SHARES]) for one in parts]
    rows = [row for row in rows if row[1] is not None or any(share is not None for share in row[2])]
    if not rows:
        return None
    columns = [index for index in range(len(_SHARES)) if any(shares[index] is not None for _, _, shares in rows)]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("core", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    for index in columns:
        table.add_column(_SHARES[index][0], justify="right", no_wrap=True)
    if len(rows) <= MOST_PARTS:
        for part, time, shares in rows:
            table.add_row(visible(part), _us(time, time), *(_percent([shares[index]]) for index in columns))
        return table
    groups: dict[str, list[tuple[float | None, list[float | None]]]] = defaultdict(list)
    for part, time, shares in rows:
        groups[_kind(part)].append((time, shares))
    for kind, group in groups.items():
        times = [time for time, _ in group if time is not None]
        ranges = [_percent([shares[index] for _, shares in group]) for index in columns]
        table.add_row(
            f"{len(group)} {visible(kind)}", _us(min(times, default=None), max(times, default=None)), *ranges
        )
    return table


def _kind(part: str) -> str:
    """``block 7 vector1`` is a vector core, ``core0.cubecore0`` a cubecore."""
    return part.replace(".", " ").split(" ")[-1].rstrip("0123456789") or "core"


def _time(metrics: Mapping[str, TimelineMetric]) -> float | None:
    return next((value for name in _TIME if isinstance(value := _value(metrics, name), float)), None)


def _share(metrics: Mapping[str, TimelineMetric], names: Sequence[str]) -> float | None:
    for name in names:
        value = _value(metrics, name)
        if value is not None:
            return value if metrics[name].unit == "%" else 100 * value
    return None


def _value(metrics: Mapping[str, TimelineMetric], name: str) -> float | None:
    metric = metrics.get(name)
    return float(metric.value) if metric is not None and isinstance(metric.value, (int, float)) else None


def _percent(shares: Sequence[float | None]) -> str:
    known = [share for share in shares if share is not None]
    if not known:
        return ""
    low, high = f"{min(known):.0f}", f"{max(known):.0f}"
    return f"{low}%" if low == high else f"{low} – {high}%"


def _us(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{low:.1f} µs" if low == high else f"{low:.1f} – {high:.1f} µs"
