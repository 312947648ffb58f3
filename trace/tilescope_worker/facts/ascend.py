"""What is Ascend's own: cores, events between pipes, the schedule with its estimated cycles, alignment of DMA."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tilescope_worker.wire.facts import Flag, Json, Operation

from .buffers import bits
from .ir import Location, as_int, children, kernel_bodies, location, op_name, statements

DMA_ALIGNMENT = 32
"""Bytes; copies move and place whole units of them between global memory and a core."""

_CORES = {"CUBE": "cube", "VECTOR": "vector"}
_SETS = frozenset({"ascend_set_flag", "ascend_cross_core_set_flag"})
_WAITS = frozenset({"ascend_wait_flag", "ascend_cross_core_wait_flag"})
_TASK, _UNIT = "tl.ascend_task", "tl.schedule_unit"
_VECTOR_CORE, _CUBE_CORE = 1, 2


def cores(device_mod: Any) -> tuple[str, ...]:
    """The kinds of core that run the kernel, in order of appearance."""
    names = (
        _CORES.get(str(stmt.name_hint))
        for body in kernel_bodies(device_mod)
        for stmt in statements(body)
        if type(stmt).__name__ == "SBlock"
    )
    return tuple(dict.fromkeys(name for name in names if name is not None))


def flags(device_mod: Any) -> tuple[Flag, ...]:
    """Events between pipes, and between cores (``cross-core``), in order of first appearance."""
    sets: Counter[str] = Counter()
    waits: Counter[str] = Counter()
    ids: dict[str, set[int]] = {}
    for body in kernel_bodies(device_mod):
        for stmt in statements(body):
            short = op_name(stmt.value).rpartition(".")[2] if type(stmt).__name__ == "Evaluate" else ""
            if short not in _SETS and short not in _WAITS:
                continue
            event = "cross-core" if "cross_core" in short else str(stmt.value.args[0].value)
            (sets if short in _SETS else waits)[event] += 1
            number = as_int(stmt.value.args[-1])
            ids.setdefault(event, set()).update([] if number is None else [number])
    return tuple(Flag(event, sets[event], waits[event], tuple(sorted(ids[event]))) for event in ids)


def scheduled(mod: Any) -> dict[Location, dict[str, Json]]:
    """What the auto-scheduler decided about each tile operation, by its line: core, stage, and the compiler's
    estimate of its cycles (``issue_cycles`` until the next may start, ``latency_cycles`` until it is done)."""
    found: dict[Location, dict[str, Json]] = {}
    for body in kernel_bodies(mod):
        _walk(body, {}, found)
    return found


def _walk(stmt: Any, known: dict[str, Json], found: dict[Location, dict[str, Json]]) -> None:
    if type(stmt).__name__ == "AttrStmt" and stmt.attr_key in (_TASK, _UNIT):
        known = {} if stmt.attr_key == _UNIT else known
        known = known | _decisions(stmt.node)
    elif type(stmt).__name__ in ("Evaluate", "For") and "latency_cycles" in known:
        where = location(stmt)
        if where is not None:
            found.setdefault(where, known)
    for child in children(stmt):
        _walk(child, known, found)


def _decisions(node: Any) -> dict[str, Json]:
    values = {str(key): as_int(value) for key, value in node.items()}
    found: dict[str, Json] = {}
    stage, mask = values.get("stage"), values.get("core_mask")
    if stage is not None and stage >= 0:
        found["schedule_stage"] = stage
    if values.get("ii") is not None and values.get("latency") is not None:
        found |= {"issue_cycles": values["ii"], "latency_cycles": values["latency"]}
    if mask:
        cores = [name for bit, name in ((_CUBE_CORE, "cube"), (_VECTOR_CORE, "vector")) if mask & bit]
        found["core"] = "+".join(cores)
    return found


def alignment(operation: Operation) -> dict[str, Json]:
    """Bytes of one contiguous row of a copy by DMA, and whether they fill whole units of 32; empty for others."""
    side = "dst" if operation.detail.get("dst_scope") == "global" else "src"
    tile, dtype = operation.detail.get("tile"), operation.detail.get(f"{side}_dtype")
    if operation.kind != "copy" or "dma" not in operation.lowered_to or not tile or not isinstance(dtype, str):
        return {}
    if not isinstance(tile[-1], int):
        return {}
    row = tile[-1] * bits(dtype) // 8
    return {"dma_row_bytes": row, "dma_aligned": row % DMA_ALIGNMENT == 0}
