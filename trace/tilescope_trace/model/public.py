"""The public JSON form of facts and recordings: the dataclasses under their public names.

``pass_name`` is written ``pass``. A key listed in OPTIONAL is left out while its value is None; every other key is
always there, null where the value is not known.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from typing import Any

from tilescope_trace.notebook_files import split_cell, with_cells

from .analysis import FileFacts

OPTIONAL: dict[str, frozenset[str]] = {
    "Argument": frozenset({"file", "line"}),
    "Captured": frozenset({"target", "caller", "pass_configs", "compile_flags", "tuned"}),
    "WarpGroup": frozenset({"registers"}),
    "MemoryUse": frozenset({"declared_bytes"}),
    "Launch": frozenset(
        {
            "registers",
            "spill_bytes",
            "stack_bytes",
            "fragment_registers",
            "occupancy",
            "occupancy_limiter",
            "blocks_per_sm",
            "cluster",
            "barriers",
            "tensor_memory_columns",
            "line",
            "column",
            "end_column",
        }
    ),
    "Access": frozenset({"column", "end_column", "operation"}),
    "Witness": frozenset({"dimension", "index", "extent"}),
    "Coverage": frozenset({"line"}),
    "WarpAccess": frozenset(
        {
            "column",
            "end_column",
            "bytes_per_thread",
            "ways",
            "phases",
            "wavefronts",
            "stride_bytes",
            "padding",
            "sectors",
            "ideal_sectors",
            "sector_use",
            "repeats",
            "unsure",
        }
    ),
    "Layout": frozenset({"swizzle", "registers_per_thread", "replicate", "threads", "decided_by", "map"}),
    "LayoutMap": frozenset({"thread"}),
    "Buffer": frozenset({"end_column", "layout"}),
    "Finding": frozenset({"pass_name", "compiler"}),
    "ShownLine": frozenset({"role"}),
    "DiffLine": frozenset({"moved"}),
    "TimelineFile": frozenset({"samples_total", "samples_rule", "unplaced_share", "nothing_to_show"}),
    "TimelineLaunch": frozenset(
        {"device", "grid", "block", "dynamic_shared_bytes", "registers", "annotation", "kind", "recording"}
    ),
    "TimelineJoin": frozenset({"file"}),
    "TimelineLane": frozenset({"clock"}),
    "TimelineNote": frozenset({"subject"}),
    "TimelineSample": frozenset({"text"}),
    "Device": frozenset({"arch", "multiprocessors", "clock_khz"}),
}
"""Keys that may be absent, by class."""

EMPTY_LEFT_OUT: dict[str, frozenset[str]] = {
    "Operation": frozenset({"called_from"}),
    "Launch": frozenset({"warp_groups", "memory", "cores", "flags"}),
    "Flag": frozenset({"ids"}),
    "Kernel": frozenset({"accesses", "coverage", "warp_accesses"}),
    "Access": frozenset({"guards", "witnesses", "loops", "parallel", "called_from"}),
    "Witness": frozenset({"values", "detail"}),
    "Coverage": frozenset({"missing", "detail"}),
    "WarpAccess": frozenset({"lanes"}),
    "TimelineJoin": frozenset({"candidates"}),
}
"""Lists that are left out while empty: they only mean something where they are not."""

NOT_PUBLIC: dict[str, frozenset[str]] = {"Difference": frozenset({"at_most"})}
"""Fields that only texts tell, by class."""

RENAMED = {"pass_name": "pass"}

_SCALARS = frozenset({str, int, float, bool, type(None)})


def to_public(value: Any) -> Any:
    """``value`` (dataclasses, containers and scalars) as plain JSON values under their public names."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if (keys := _keys(kind)) is not None:  # type: ignore[arg-type]  # mypy: no Hashable
        return {
            public: to_public(item)
            for name, public, optional, left_out in keys
            if not ((item := getattr(value, name)) is None and optional) and (item or not left_out)
        }
    if isinstance(value, dict):
        return {key: to_public(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_public(item) for item in value]
    return value


@functools.cache
def _keys(kind: type) -> tuple[tuple[str, str, bool, bool], ...] | None:
    """The fields of a class of dataclasses, None for another: name, public name, whether it is left out while it is
    None, and while it is empty."""
    if not dataclasses.is_dataclass(kind):
        return None
    optional, empty = (table.get(kind.__name__, frozenset()) for table in (OPTIONAL, EMPTY_LEFT_OUT))
    hidden = NOT_PUBLIC.get(kind.__name__, frozenset())
    names = [field.name for field in dataclasses.fields(kind) if field.name not in hidden]
    return tuple((name, RENAMED.get(name, name), name in optional, name in empty) for name in names)


def facts_document(files: Iterable[FileFacts]) -> dict[str, Any]:
    """The output of ``tilescope facts --format json``."""
    told = [to_public(file) for file in files]
    return document("facts", {"files": [with_cells(one) if split_cell(one["file"])[1] else one for one in told]})


def document(name: str, content: dict[str, Any]) -> dict[str, Any]:
    """``content`` under the schema tag ``tilescope.<name>/1``."""
    return {"schema": f"tilescope.{name}/1", **content}
