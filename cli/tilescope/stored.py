"""Stored recordings as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from tilescope_passdiff.render.terminal.controls import visible
from tilescope_trace.store.retention import Status, StoredRecording, in_use

from .text.tables import table

STYLE: dict[Status, str] = {"ok": "green", "failed": "red", "incomplete": "yellow", "unreadable": "bold red"}


@dataclass(frozen=True)
class StoredEntry:
    """One recording. ``modified`` is ISO 8601, UTC; ``age_s`` seconds since; ``in_use`` is whether a recorder may
    still be writing it; ``problem`` is why it cannot be read, null where it can."""

    path: str
    kernel: str | None
    target: str | None
    specialization: str | None
    status: Status
    passes: int
    bytes: int
    modified: str
    age_s: float
    in_use: bool
    problem: str | None


RECORDINGS: dict[str, Any] = {"folder": str, "bytes": int, "recordings": list[StoredEntry]}
PRUNED: dict[str, Any] = {"folder": str, "dry_run": bool, "removed": list[StoredEntry], "kept": list[StoredEntry]}
"""Keys of the documents ``recordings`` and ``pruned`` with their types."""


def entry(one: StoredRecording, now: float, modified: datetime) -> StoredEntry:
    """A recording for JSON; ``modified`` is ``one.modified`` as a date."""
    return StoredEntry(
        str(one.path),
        one.kernel,
        one.target,
        one.specialization,
        one.status,
        one.passes,
        one.bytes,
        modified.isoformat(timespec="seconds"),
        round(max(0.0, now - one.modified), 1),
        in_use(one, now),
        one.problem,
    )


def recording_table(recordings: Sequence[StoredRecording], now: float) -> RenderableType:
    """A row for each recording, then the sum, then why some cannot be read."""
    made = table(
        "kernel", "target", "specialization", "status", "KiB", "age", "file", numbers=["KiB", "age"], wrapped=["file"]
    )
    for one in recordings:
        status = "being written?" if in_use(one, now) else one.status
        made.add_row(
            Text(visible(one.kernel or "?"), "cyan"),
            visible(one.target or "?"),
            one.specialization or "?",
            Text(status, STYLE[one.status]),
            f"{one.bytes / 1024:.0f}",
            age_text(now - one.modified),
            visible(one.path.name),
        )
    total = sum(one.bytes for one in recordings) / 1024
    problems = [Text(visible(one.problem), "red") for one in recordings if one.problem]
    several = f"{len(recordings)} recording{'s' * (len(recordings) != 1)}"
    return Group(made, Text(f"{several}, {total:.0f} KiB in {recordings[0].path.parent}", "dim"), *problems)


def age_text(seconds: float) -> str:
    """``3 s``, ``12 min``, ``5 h``, ``40 d``."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"
