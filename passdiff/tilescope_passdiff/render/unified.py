"""Plain unified diffs, which patch and git apply read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilescope_passdiff.diff import DiffHunk, LineKind, MovedBlock, PassDiff, diff_pass
from tilescope_passdiff.layouts import new_layouts
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

MARKS: dict[LineKind, str] = {"equal": " ", "delete": "-", "insert": "+"}
NAMED = 3
"""Most moved blocks told above a hunk."""


def plain_diff(
    recording: Recording,
    record: PassRecord,
    *,
    context: int = 3,
    hide_renumbering: bool = False,
    hide_indentation: bool = False,
) -> str:
    """The unified diff of a pass against its own input, each line ended by a newline; lines above it say which pass,
    how it went, and which layouts it attached. A hunk's first line tells what only moved."""
    diff = diff_pass(
        recording,
        record,
        context=context,
        with_words=False,
        hide_renumbering=hide_renumbering,
        hide_indentation=hide_indentation,
    )
    parts = [heading(record, diff.insertions, diff.deletions), *layout_lines(recording, record)]
    if diff.hunks:
        parts += file_lines(record)
    parts += plain_hunks(diff)
    return "\n".join(parts) + "\n"


def plain_hunks(diff: PassDiff) -> Iterator[str]:
    """The lines of all hunks."""
    for hunk in diff.hunks:
        yield hunk_line(hunk, diff.moved)
        yield from (MARKS[line.kind] + line.text for line in hunk.lines)


def layout_lines(recording: Recording, record: PassRecord) -> Iterator[str]:
    """A line for each layout that the pass attached; the IR text only says that there is one."""
    for layout in new_layouts(recording, record):
        yield f"layout of {layout.name}: {layout.summary}"


def heading(record: PassRecord, insertions: int, deletions: int) -> str:
    """Which pass it is and how it went, in one line."""
    phase = f" ({record.phase})" if record.phase else ""
    return f"pass {record.index} {record.label}{phase}: {_outcome(record, insertions, deletions)}"


def file_lines(record: PassRecord) -> Iterator[str]:
    """The two lines that name the sides."""
    yield f"--- pass {record.index} before"
    yield f"+++ pass {record.index} after"


def hunk_line(hunk: DiffHunk, moved: Sequence[MovedBlock] = ()) -> str:
    """The line above a hunk, with what of it only moved or was indented."""
    place = f"@@ -{hunk.before_start},{hunk.before_lines} +{hunk.after_start},{hunk.after_lines} @@"
    told = [_moved(block) for block in moved if _touches(hunk, block)]
    more = [f"{len(told) - NAMED} more"] if len(told) > NAMED else []
    return f"{place} {', '.join(told[:NAMED] + more)}" if told else place


def _touches(hunk: DiffHunk, block: MovedBlock) -> bool:
    before, after = block.before - hunk.before_start, block.after - hunk.after_start
    return -block.lines < before < hunk.before_lines or -block.lines < after < hunk.after_lines


def _moved(block: MovedBlock) -> str:
    if block.in_place:
        by = f"{'in' if block.indent > 0 else 'out'} by {abs(block.indent)}"
        return f"{_lines(block.before, block.lines)} indented {by}"
    return f"{_lines(block.before, block.lines)} moved to {_range(block.after, block.lines)}"


def _lines(start: int, count: int) -> str:
    return f"{'line' if count == 1 else 'lines'} {_range(start, count)}"


def _range(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start}-{start + count - 1}"


def _outcome(record: PassRecord, insertions: int, deletions: int) -> str:
    if record.status == "failed":
        error = (record.error or "no message").strip().splitlines()
        return f"failed: {error[0] if error else 'no message'}"
    counts = f"+{insertions} -{deletions} lines"
    if record.changed:
        return counts if insertions or deletions else "changed, but prints the same"
    return f"changed nothing, but prints otherwise: {counts}" if insertions or deletions else "changed nothing"
