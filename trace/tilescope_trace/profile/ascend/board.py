"""CSV files of ``msprof op``: one kernel measured on the board, with metrics of every core it ran on.

A block is what the kernel calls a block; a mixed kernel has a cube core and two vector cores for each
(``sub_block_id`` cube0, vector0, vector1), each with cells of its own kind only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tilescope_trace.profile.model import Launch, Metric
from tilescope_trace.profile.source import Source

from .counters import split_unit
from .measured import as_number
from .table import Row, Table, headers_of
from .tasks import grid_of

_BASIC = frozenset(("Op Name", "Task Duration(us)"))
_NOT_BASIC = frozenset(("Task Type", "OP Type"))
_OF_BLOCK = ("block_id", "sub_block_id")
_OF_CORE = ("aic_time(us)", "aic_total_cycles")
"""What tables of processors without separate vector cores begin with; they do not number their rows."""

NOT_METRICS = ("Pid", "PID", "Device Id", "Device ID", "Op Name", "Op Type", "Task Duration(us)", "Block Dim")
_UNITS = {"Current Freq": "MHz", "Rated Freq": "MHz"}

Form = Literal["basic", "parts"]


def form_of(source: Source) -> Form | None:
    """Whether a table is the basic information of a kernel or of metrics of its parts; None for any other."""
    headers = headers_of(source)
    there = set(headers)
    if there >= _BASIC and not there & _NOT_BASIC:
        return "basic"
    return "parts" if there >= set(_OF_BLOCK) or headers[:2] == _OF_CORE else None


def launch_of(table: Table) -> Launch | None:
    """The kernel of OpBasicInfo.csv; None where it has no row. Its duration includes scheduling and the report at the
    end."""
    for row in table:
        device = "Device Id" if "Device Id" in table.index else "Device ID"
        return Launch(
            name=row.text("Op Name") or "",
            duration_ns=row.ns("Task Duration(us)"),
            device=row.whole(device),
            grid=grid_of(row.whole("Block Dim")),
            kind=row.text("Op Type"),
            metrics=_metrics(row, NOT_METRICS),
        )
    return None


def add_parts(table: Table, parts: Mapping[str, dict[str, Metric]]) -> None:
    """Metrics of each core; a metric that an earlier table had already is not taken again."""
    numbered = set(_OF_BLOCK) <= set(table.index)
    for position, row in enumerate(table):
        part = f"block {row.text('block_id')} {row.text('sub_block_id')}" if numbered else f"core {position}"
        metrics = parts[part]
        for name, metric in _metrics(row, _OF_BLOCK).items():
            metrics.setdefault(name, metric)


def _metrics(row: Row, without: tuple[str, ...]) -> dict[str, Metric]:
    metrics = {}
    for header, index in row.table.index.items():
        number = as_number(row.cells[index])
        if number is not None and header not in without:
            name, unit = split_unit(header)
            metrics[name] = Metric(number, unit or _UNITS.get(name, ""))
    return metrics
