"""JSON documents of a recording: the dataclasses here are their shapes, and the schemas come from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tilescope_passdiff import counts
from tilescope_passdiff.diff import DiffHunk, MovedBlock, diff_pass
from tilescope_passdiff.layouts import AttachedLayout, attached, new_layouts
from tilescope_passdiff.lines import split
from tilescope_passdiff.summary import summaries, summary_of
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.model.public import document, to_public
from tilescope_trace.passes import PassInfo
from tilescope_trace.provenance import Provenance, of_generated, of_pass
from tilescope_trace.store.read import Recording


@dataclass(frozen=True)
class PassEntry:
    """One pass in the list of passes; ``insertions`` and ``deletions`` are lines against its own input;
    ``summary`` says in a line what it did, empty where it changed nothing."""

    index: int
    name: str
    phase: str | None
    module: Literal["host", "device", "both"]
    depth: int
    parent: int | None
    changed: bool
    insertions: int
    deletions: int
    duration_ms: float
    status: Literal["ok", "failed"]
    error: str | None
    summary: str


@dataclass(frozen=True)
class PassName:
    """A pass, as other documents refer to it."""

    index: int
    name: str


@dataclass(frozen=True)
class PassDiffEntry:
    """The diff of one pass. ``moved`` lists the blocks that only moved or were indented, ``layouts`` what the pass
    attached; ``summary`` tells in a line what it did."""

    pass_name: PassName
    changed: bool
    status: Literal["ok", "failed"]
    error: str | None
    insertions: int
    deletions: int
    hunks: tuple[DiffHunk, ...]
    moved: tuple[MovedBlock, ...]
    layouts: tuple[AttachedLayout, ...]
    summary: str


@dataclass(frozen=True)
class ShownLine:
    """One line of IR or generated source, with the places in Python that it comes from and, in generated source,
    the part it plays."""

    line: int
    text: str
    source: tuple[Origin, ...]
    role: str | None = None


SHAPES: dict[str, dict[str, Any]] = {
    "passes": {
        "kernel": str,
        "target": str,
        "lower_ms": float,
        "record_ms": float,
        "status": Literal["ok", "failed", "incomplete"],
        "passes": tuple[PassEntry, ...],
    },
    "diff": {"diffs": tuple[PassDiffEntry, ...]},
    "show": {"lines": tuple[ShownLine, ...], "layouts": tuple[AttachedLayout, ...]},
    "pass": {"name": str, "purpose": str, "pipelines": tuple[str, ...], "when": str},
}
"""Keys and types of each document, for the published schemas."""


def passes_json(recording: Recording) -> dict[str, Any]:
    """The document ``passes``. Raises RecordingError where a text is damaged."""
    info = recording.info
    entries = [
        PassEntry(
            record.index,
            record.name,
            record.phase,
            record.module,
            record.depth,
            record.parent,
            record.changed,
            insertions,
            deletions,
            record.duration_ms,
            record.status,
            record.error,
            summary,
        )
        for record, (insertions, deletions), summary in zip(
            recording.passes, counts.insertions_deletions(recording), summaries(recording), strict=True
        )
    ]
    return document(
        "passes",
        {
            "kernel": info.kernel.qualname,
            "target": info.kernel.target,
            "lower_ms": info.lower_ms,
            "record_ms": info.record_ms,
            "status": info.status,
            "passes": to_public(entries),
        },
    )


def explain_json(info: PassInfo) -> dict[str, Any]:
    """The document ``pass``: what a pass is for."""
    return document("pass", to_public(info))


def diff_json(
    recording: Recording,
    records: Sequence[PassRecord],
    *,
    context: int = 3,
    hide_renumbering: bool = False,
    hide_indentation: bool = False,
) -> dict[str, Any]:
    """The document ``diff`` of the given passes, each against its own input."""
    entries = []
    for record in records:
        diff = diff_pass(
            recording,
            record,
            context=context,
            hide_renumbering=hide_renumbering,
            hide_indentation=hide_indentation,
        )
        entries.append(
            PassDiffEntry(
                PassName(record.index, record.name),
                record.changed,
                record.status,
                record.error,
                diff.insertions,
                diff.deletions,
                diff.hunks,
                diff.moved,
                new_layouts(recording, record),
                summary_of(recording, record),
            )
        )
    return document("diff", {"diffs": to_public(entries)})


def pass_text_json(recording: Recording, record: PassRecord) -> dict[str, Any]:
    """The document ``show`` of the IR after a pass (of its input where it failed)."""
    name = record.after if record.after is not None else record.before
    return _show(recording.text(name), of_pass(recording, record), attached(recording, name))


def generated_json(recording: Recording) -> dict[str, Any]:
    """The document ``show`` of the generated source. Raises UsageError where there is none."""
    return _show(generated_text(recording), of_generated(recording))


def generated_text(recording: Recording) -> str:
    """The generated source. Raises UsageError, which says how far the compiler came, where there is none."""
    text = recording.generated()
    if text is not None:
        return text
    last = recording.passes[-1] if recording.passes else None
    came = f"stopped in pass {last.index} {last.label}" if last and last.status == "failed" else "did not come so far"
    raise UsageError(f"{recording.path} holds no generated source: the compiler {came}.")


def _show(text: str, places: Provenance, layouts: Sequence[AttachedLayout] = ()) -> dict[str, Any]:
    lines = [
        ShownLine(number, line, tuple(places.origins.get(number, ())), places.roles.get(number))
        for number, line in enumerate(split(text), start=1)
    ]
    return document("show", {"lines": to_public(lines), "layouts": to_public(layouts)})
