"""The list of passes."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tilescope_passdiff.counts import insertions_deletions
from tilescope_passdiff.summary import summaries
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording
from tilescope_trace.store.stale import changed_sources

from .controls import visible

CHANGED, FAILED = "●", "✗"


def pass_table(recording: Recording, *, every: bool = False) -> RenderableType:
    """A line about the recording, one for each source that has changed since, then a row per pass: index, label
    (nested passes indented), phase, changed mark, inserted and deleted lines, time, what it did; a failed pass is red
    with its error below the table. Passes that changed nothing are only counted, unless ``every`` is asked for."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("pass", overflow="fold")
    table.add_column("phase", no_wrap=True)
    table.add_column("+", justify="right", no_wrap=True)
    table.add_column("-", justify="right", no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    table.add_column("did", min_width=20)
    counts, did = insertions_deletions(recording), summaries(recording)
    hidden = 0
    for record, (insertions, deletions), summary in zip(recording.passes, counts, did, strict=True):
        if not every and not record.changed and record.status == "ok":
            hidden += 1
            continue
        table.add_row(
            str(record.index),
            _mark(record),
            "  " * record.depth + visible(record.label),
            Text(visible(record.phase or "-"), "dim"),
            *_counts(record, insertions, deletions),
            f"{record.duration_ms:.1f}",
            # One line a pass: what does not fit is in the JSON, and in a pipe.
            Text(visible(summary), no_wrap=True, overflow="ellipsis"),
            style=_row_style(record),
        )
    errors = [
        Text(visible(f"pass {record.index} {record.label} failed: {(record.error or 'no message').strip()}"), "red")
        for record in recording.passes
        if record.status == "failed"
    ]
    stale = [
        Text(visible(f"{path} is not what was recorded any more: record again"), "yellow")
        for path in changed_sources(recording)
    ]
    passes = "1 pass" if hidden == 1 else f"{hidden} passes"
    rest = [Text(f"{passes} changed nothing; --all shows all", "dim")] if hidden else []
    return Group(_headline(recording), *stale, table, *rest, *errors)


def _headline(recording: Recording) -> Text:
    info = recording.info
    changed = sum(record.changed for record in recording.passes)
    passes = "1 pass" if len(recording.passes) == 1 else f"{len(recording.passes)} passes"
    line = Text()
    line.append(visible(info.kernel.qualname), "bold")
    line.append(f" for {visible(info.kernel.target)}: {passes}, {changed} changed")
    if info.lower_ms:
        line.append(f", lowered in {info.lower_ms:.0f} ms")
    if info.status != "ok":
        line.append(f", {info.status}", "bold red")
    return line


def _counts(record: PassRecord, insertions: int, deletions: int) -> tuple[Text, Text]:
    """The two count cells; what changed the IR but not its text says so with ±0."""
    if record.changed and record.status == "ok" and not insertions and not deletions:
        return Text("±0", "yellow"), Text()
    return Text(f"+{insertions}" if insertions else "", "green"), Text(f"-{deletions}" if deletions else "", "red")


def _mark(record: PassRecord) -> Text:
    if record.status == "failed":
        return Text(FAILED, "bold red")
    return Text(CHANGED if record.changed else "", "yellow")


def _row_style(record: PassRecord) -> str:
    if record.status == "failed":
        return "bold red"
    return "" if record.changed else "dim"
