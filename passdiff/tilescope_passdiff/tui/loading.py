"""Reads texts of a recording and makes documents of them: what the background workers do.

Nothing here raises for a damaged recording: its one message becomes the document.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_passdiff.counts import of_pass
from tilescope_passdiff.lines import Block, diff
from tilescope_passdiff.normalise import without_numbers
from tilescope_passdiff.words import Span, refine
from tilescope_trace.errors import UsageError
from tilescope_trace.model import LineMap, PassRecord
from tilescope_trace.store.read import Recording

from .document import Document, Notice, Row
from .paint import clean, lines_of
from .state import Counts
from .syntax import carried


def pass_document(recording: Recording, position: int, hide_renumbering: bool = False) -> Document:
    """The diff of the pass at ``position`` against its own input; of a failed pass its input, with its error."""
    record = recording.passes[position]
    title = title_of(recording, position)
    try:
        before = lines_of(recording.text(record.before))
        before_map = recording.line_map(record.before)
        if record.after is None:
            return _ready(Document(title, _plain(before), after=before_map, notice=_failure(record), whole=True))
        after = lines_of(recording.text(record.after))
        after_map = recording.line_map(record.after)
    except UsageError as error:
        failure = f"{_failure(record).text}\n\n" if record.status == "failed" else ""
        return Document(title, notice=Notice(failure + str(error), error=True), whole=True)
    blocks = diff(before, after, without_numbers if hide_renumbering else None)
    if hide_renumbering:
        title += " · renumbering hidden"
    rows = _compared(blocks, before, after)
    return _ready(Document(title, rows, before=before_map, after=after_map, notice=_remark(record, rows)))


def generated_document(recording: Recording) -> Document:
    """The generated source, or why there is none."""
    title = title_of(recording, None)
    try:
        text = recording.generated()
    except UsageError as error:
        return Document(title, notice=Notice(str(error), error=True), whole=True)
    if text is None:
        return Document(title, notice=_absence(recording), whole=True)
    lines = lines_of(text)
    return _ready(Document(title, _plain(lines), "c", LineMap(), LineMap(), None, True, carried(lines, "c")))


def title_of(recording: Recording, position: int | None) -> str:
    """The heading over the text of a pass, or over the generated source (None)."""
    if position is None:
        language = recording.info.generated_language
        return f"Generated source ({clean(language)})" if language else "Generated source"
    record = recording.passes[position]
    end = "failed" if record.status == "failed" else f"{record.duration_ms:.1f} ms"
    return f"{record.index} {clean(record.label)} · {end}"


def counts_of(recording: Recording, position: int) -> Counts | None:
    """Inserted and deleted lines of a changed pass; None where there is nothing to count or it cannot be read."""
    record = recording.passes[position]
    if not record.changed:
        return None
    try:
        return of_pass(recording, record)
    except UsageError:
        # The pane says what is damaged once the pass is looked at.
        return None


def _ready(document: Document) -> Document:
    """Has what every frame needs worked out here and not on the first frame."""
    _ = document.width, document.highest, document.changes
    return document


def _plain(lines: Sequence[str]) -> tuple[Row, ...]:
    return tuple(Row(" ", None, number, line) for number, line in enumerate(lines, 1))


def _compared(blocks: Sequence[Block], before: Sequence[str], after: Sequence[str]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for block in blocks:
        old = range(block.before_start, block.before_end)
        new = range(block.after_start, block.after_end)
        if block.kind == "equal":
            rows += [Row(" ", i + 1, j + 1, after[j]) for i, j in zip(old, new, strict=True)]
            continue
        old_words: dict[int, tuple[Span, ...]] = {}
        new_words: dict[int, tuple[Span, ...]] = {}
        for pair in refine(block, before, after):
            old_words[pair.before], new_words[pair.after] = pair.before_spans, pair.after_spans
        rows += [Row("-", i + 1, None, before[i], old_words.get(i, ())) for i in old]
        rows += [Row("+", None, j + 1, after[j], new_words.get(j, ())) for j in new]
    return tuple(rows)


def _failure(record: PassRecord) -> Notice:
    error = "\n".join(map(clean, (record.error or "").strip().splitlines()))
    return Notice(f"✗ {clean(record.label)} failed. {error or 'No message was recorded.'}", error=True)


def _absence(recording: Recording) -> Notice:
    missing = "generated source" if recording.passes else "passes and no generated source"
    errors = [clean(found.message) for found in recording.info.kernel.findings if found.severity == "error"]
    reason = f"This recording holds no {missing}: the compiler did not come that far."
    return Notice("\n\n".join([reason, *errors]), error=recording.info.status != "ok")


def _remark(record: PassRecord, rows: Sequence[Row]) -> Notice | None:
    differs = any(row.sign != " " for row in rows)
    if record.changed:
        return None if differs else Notice("This pass changed the IR in a way that its text does not show.")
    if differs:
        return Notice("Only the text differs, by renumbered names, say: the IR is structurally the same.")
    return Notice("This pass left the IR as it was.")
