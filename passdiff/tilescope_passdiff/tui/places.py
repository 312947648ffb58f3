"""Places in a recording that outlive it: found again by pass, number and text of the line."""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_trace.model import PassRecord
from tilescope_trace.store.notes import Note

from .document import Document, Row

EXCERPT = 400
"""Most characters of a line that are kept to find it again."""


def text_note(label: str, row: Row) -> Note:
    """A place in the text of a pass."""
    return Note("text", label, None, row.old if row.sign == "-" else None, row.new, row.text[:EXCERPT])


def row_of(document: Document, note: Note) -> int | None:
    """The row that a note is at; where the line there is another one, the nearest row with its text, else that of the
    same number. None for a document without rows."""
    rows = document.rows
    if not rows:
        return None
    number = note.before if note.before is not None else note.after
    wanted = number or 1

    def distance(index: int) -> tuple[bool, int]:
        row = rows[index]
        here = row.old if note.before is not None else row.new
        return here is None, abs((here or row.old or row.new or 0) - wanted)

    alike = [index for index, row in enumerate(rows) if row.text[:EXCERPT] == note.excerpt]
    return min(alike or range(len(rows)), key=distance)


def line_of(lines: Sequence[str], note: Note) -> int:
    """The 0-based line of a source that a note is at, found in the same way."""
    wanted = (note.after or 1) - 1
    alike = [at for at, line in enumerate(lines) if line[:EXCERPT] == note.excerpt]
    return min(alike, key=lambda at: abs(at - wanted)) if alike else max(0, min(wanted, len(lines) - 1))


def position_of(passes: Sequence[PassRecord], label: str | None, index: int) -> int:
    """The pass of that label; else the one nearest to ``index`` in the order, 0 where there is none."""
    found = next((at for at, record in enumerate(passes) if record.label == label), None)
    return found if found is not None else max(0, min(index, len(passes) - 1))
