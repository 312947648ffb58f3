"""Plain unified diffs, which patch and git apply read."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_passdiff.diff import DiffHunk, LineKind, diff_pass
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

MARKS: dict[LineKind, str] = {"equal": " ", "delete": "-", "insert": "+"}


def plain_diff(recording: Recording, record: PassRecord, *, context: int = 3, hide_renumbering: bool = False) -> str:
    """The unified diff of a pass against its own input, each line ended by a newline; a line above it says which pass
    and how it went."""
    diff = diff_pass(recording, record, context=context, with_words=False, hide_renumbering=hide_renumbering)
    parts = [heading(record, diff.insertions, diff.deletions)]
    if diff.hunks:
        parts += file_lines(record)
    for hunk in diff.hunks:
        parts.append(hunk_line(hunk))
        parts += (MARKS[line.kind] + line.text for line in hunk.lines)
    return "\n".join(parts) + "\n"


def heading(record: PassRecord, insertions: int, deletions: int) -> str:
    """Which pass it is and how it went, in one line."""
    phase = f" ({record.phase})" if record.phase else ""
    return f"pass {record.index} {record.label}{phase}: {_outcome(record, insertions, deletions)}"


def file_lines(record: PassRecord) -> Iterator[str]:
    """The two lines that name the sides."""
    yield f"--- pass {record.index} before"
    yield f"+++ pass {record.index} after"


def hunk_line(hunk: DiffHunk) -> str:
    """The line above a hunk."""
    return f"@@ -{hunk.before_start},{hunk.before_lines} +{hunk.after_start},{hunk.after_lines} @@"


def _outcome(record: PassRecord, insertions: int, deletions: int) -> str:
    if record.status == "failed":
        error = (record.error or "no message").strip().splitlines()
        return f"failed: {error[0] if error else 'no message'}"
    counts = f"+{insertions} -{deletions} lines"
    if record.changed:
        return counts if insertions or deletions else "changed, but prints the same"
    return f"changed nothing, but prints otherwise: {counts}" if insertions or deletions else "changed nothing"
