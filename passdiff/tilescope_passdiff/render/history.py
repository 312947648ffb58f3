"""The JSON document of a history; the dataclasses here are its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilescope_passdiff.diff import DiffLine
from tilescope_passdiff.steps import step_lines
from tilescope_trace.history import GeneratedEntry, History, Subject
from tilescope_trace.model.public import document, to_public
from tilescope_trace.store.read import Recording

from .json import PassName


@dataclass(frozen=True)
class HistoryStep:
    """What one pass did to the subject, in words, and the lines about it that it deleted and inserted."""

    pass_name: PassName
    change: str
    lines: tuple[DiffLine, ...]


HISTORY: dict[str, Any] = {
    "subject": Subject,
    "steps": tuple[HistoryStep, ...],
    "generated": tuple[GeneratedEntry, ...],
    "notes": tuple[str, ...],
}
"""Keys and types of the document, for the published schema."""


def history_json(recording: Recording, history: History) -> dict[str, Any]:
    """The document ``history``. Raises RecordingError where a text is damaged."""
    steps = [
        HistoryStep(PassName(step.record.index, step.record.name), step.change, step_lines(recording, step))
        for step in history.steps
    ]
    return document(
        "history",
        {
            "subject": to_public(history.subject),
            "steps": to_public(steps),
            "generated": to_public(history.generated),
            "notes": to_public(history.notes),
        },
    )
