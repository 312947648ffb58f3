"""Inserted and deleted lines of every pass."""

from __future__ import annotations

from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from .lines import count, diff, split


def insertions_deletions(recording: Recording) -> list[tuple[int, int]]:
    """(inserted, deleted) lines of each pass against its own input, in the order of ``recording.passes``; (0, 0) for
    a pass that changed nothing or failed. Raises RecordingError where a text is damaged."""
    known: dict[tuple[str, str], tuple[int, int]] = {}
    result = []
    for record in recording.passes:
        if not record.changed or record.after is None or record.after == record.before:
            result.append((0, 0))
            continue
        texts = (record.before, record.after)
        if texts not in known:
            known[texts] = of_pass(recording, record)
        result.append(known[texts])
    return result


def of_pass(recording: Recording, record: PassRecord) -> tuple[int, int]:
    """(inserted, deleted) lines of one pass; (0, 0) for a failed one."""
    if record.after is None:
        return (0, 0)
    return count(diff(split(recording.text(record.before)), split(recording.text(record.after))))
