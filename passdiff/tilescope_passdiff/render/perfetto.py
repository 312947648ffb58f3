"""The times of a recording's passes as trace events, which ui.perfetto.dev and chrome://tracing open.

The format is Chrome's JSON trace event format, complete events (``ph`` X), times in microseconds. A recording holds
how long each pass took, not when it began: passes are laid out one after the other, nested ones from the start of the
pass that they ran in. So a length is measured, a place is reckoned; the trace says so in its metadata.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tilescope_passdiff.counts import insertions_deletions
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

US = 1000.0
"""Microseconds in a millisecond."""
NOTE = (
    "lengths are measured; passes are placed one after the other, nested ones from the start of the one around them"
)


def report_perfetto(recording: Recording) -> dict[str, Any]:
    """The trace: a slice for each phase, and in it one for each pass. Raises RecordingError where a text is
    damaged."""
    info = recording.info
    starts = _starts(recording.passes)
    counts = insertions_deletions(recording)
    events = [
        _name("process_name", "tilescope"),
        _name("thread_name", f"{info.kernel.qualname} for {info.kernel.target}"),
    ]
    events += _phases(recording.passes, starts)
    events += [
        _slice(record, starts[record.index], insertions, deletions)
        for record, (insertions, deletions) in zip(recording.passes, counts, strict=True)
    ]
    return {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": {
            "kernel": info.kernel.qualname,
            "target": info.kernel.target,
            "status": info.status,
            "lower_ms": info.lower_ms,
            "tilelang": info.tilelang or "",
            "note": NOTE,
        },
    }


def _starts(passes: tuple[PassRecord, ...]) -> dict[int, float]:
    """When each pass starts by its index, in ms."""
    free: dict[int | None, float] = defaultdict(float)
    starts: dict[int, float] = {}
    for record in passes:
        parent = record.parent if record.parent in starts else None
        starts[record.index] = free[parent]
        free[parent] += record.duration_ms
        free[record.index] = starts[record.index]
    return starts


def _phases(passes: tuple[PassRecord, ...], starts: dict[int, float]) -> list[dict[str, Any]]:
    """A slice for each run of passes of one phase."""
    runs: list[tuple[str, float, float]] = []
    for record in passes:
        if record.parent in starts or record.phase is None:
            continue
        start = starts[record.index]
        end = start + record.duration_ms
        if runs and runs[-1][0] == record.phase and runs[-1][2] == start:
            runs[-1] = (record.phase, runs[-1][1], end)
        else:
            runs.append((record.phase, start, end))
    return [_event(phase, "phase", start, end - start, {}) for phase, start, end in runs]


def _slice(record: PassRecord, start: float, insertions: int, deletions: int) -> dict[str, Any]:
    told = {
        "index": record.index,
        "changed": record.changed,
        "status": record.status,
        "module": record.module,
        "insertions": insertions,
        "deletions": deletions,
        **({"error": record.error} if record.error else {}),
    }
    return _event(record.label, "pass", start, record.duration_ms, told)


def _event(name: str, category: str, start: float, duration: float, told: dict[str, Any]) -> dict[str, Any]:
    times = {"ts": round(start * US, 3), "dur": round(duration * US, 3)}
    return {"name": name, "cat": category, "ph": "X", **times, "pid": 1, "tid": 1, "args": told}


def _name(kind: str, name: str) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": 1, "tid": 1, "args": {"name": name}}
