"""The answer of a bisection: JSON and text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.text import Text

from tilescope_passdiff.diff import DiffHunk, diff_pass
from tilescope_passdiff.summary import summary_of
from tilescope_trace.bisect import Bisected, Moment
from tilescope_trace.model.public import document, to_public
from tilescope_trace.passes import explained
from tilescope_trace.store.read import Recording

from .json import PassName
from .terminal.controls import visible
from .terminal.diff import pass_diff

BISECT: dict[str, Any] = {
    "pass": PassName,
    "change": str,
    "before": Moment,
    "after": Moment,
    "others": tuple[PassName, ...],
    "purpose": str | None,
    "summary": str,
    "hunks": tuple[DiffHunk, ...],
}
"""Keys and types of the document, for the published schema."""


@dataclass(frozen=True)
class Shown:
    """How the diff of the pass is shown."""

    context: int = 3
    hide_renumbering: bool = False
    hide_indentation: bool = False


def bisect_json(recording: Recording, found: Bisected, shown: Shown) -> dict[str, Any]:
    """The document ``bisect``. Raises RecordingError where a text is damaged."""
    info = explained(found.record.name)
    diff = diff_pass(recording, found.record, **vars(shown))
    return document(
        "bisect",
        {
            "pass": to_public(PassName(found.record.index, found.record.name)),
            "change": found.change,
            "before": to_public(found.before),
            "after": to_public(found.after),
            "others": [to_public(PassName(record.index, record.name)) for record in found.others],
            "purpose": info.purpose if info is not None else None,
            "summary": summary_of(recording, found.record),
            "hunks": to_public(diff.hunks),
        },
    )


def bisect_text(recording: Recording, found: Bisected, asked: str, shown: Shown) -> Text:
    """Which pass it was, what the pass is for, what holds on both sides, then the diff of the pass."""
    record = found.record
    text = Text(visible(f"{asked} is {found.change} by pass {record.index} {record.label}"), "bold", overflow="fold")
    info = explained(record.name)
    text.append(visible(f"\n  {info.purpose}" if info else "\n  a pass that TileLang 0.1.15 does not have"), "dim")
    for side, moment in (("before", found.before), ("after", found.after)):
        text.append(visible(f"\n  {side}: {_told(moment)}"))
    if found.others:
        names = ", ".join(f"{other.index} {other.label}" for other in found.others)
        text.append(visible(f"\n  it changes again in pass {names}"), "yellow")
    text.append("\n\n")
    text.append_text(pass_diff(recording, record, **vars(shown)))
    return text


def _told(moment: Moment) -> str:
    if moment.value is None:
        return "none"
    first = moment.lines[0] if moment.lines else None
    return f"{moment.value}" if first is None else f"{moment.value}; line {first.line}: {first.text.strip()}"
