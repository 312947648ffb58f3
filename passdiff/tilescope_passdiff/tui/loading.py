"""Reads texts of a recording and makes documents of them: what the background workers do.

Nothing here raises for a damaged recording: its one message becomes the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_passdiff.counts import of_pass
from tilescope_passdiff.diff import moved_blocks
from tilescope_passdiff.layouts import new_layouts
from tilescope_passdiff.lines import diff
from tilescope_passdiff.normalise import Key, without_numbers
from tilescope_passdiff.summary import summary_of
from tilescope_passdiff.words import Span, refine
from tilescope_trace.errors import UsageError
from tilescope_trace.history.texts import base_name
from tilescope_trace.model import PassRecord
from tilescope_trace.passes import explained
from tilescope_trace.store.read import Recording

from .document import Document, Notice, Row, Sign
from .paint import clean, lines_of
from .sources import absence
from .state import Counts


def pass_document(recording: Recording, position: int, hide_renumbering: bool = False) -> Document:
    """The diff of the pass at ``position`` against its own input; of a failed pass its input, with its error."""
    if not recording.passes:
        return empty_document(recording)
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
    if hide_renumbering:
        title += " · renumbering hidden"
    rows = compared(before, after, without_numbers if hide_renumbering else None)
    return _ready(
        Document(
            title,
            rows,
            before=before_map,
            after=after_map,
            notice=_remark(record, rows),
            uses_before=_uses(recording, record.before),
            uses_after=_uses(recording, record.after),
        )
    )


def empty_document(recording: Recording) -> Document:
    """What is shown in place of a pass where there is none."""
    failed = recording.info.status != "ok"
    return Document("No passes", notice=Notice(absence(recording), error=failed), whole=True)


@dataclass(frozen=True)
class Telling:
    """What a pass did in a line, what it is for, and the layouts it attached, which the printed IR leaves out."""

    summary: str = ""
    purpose: str = ""
    layouts: tuple[str, ...] = ()


def telling_of(recording: Recording, position: int) -> Telling:
    """The telling of the pass at ``position``; of a damaged recording what can be told."""
    record = recording.passes[position]
    known = explained(record.name)
    purpose = known.purpose if known is not None else ""
    try:
        layouts = tuple(clean(f"{layout.name}: {layout.summary}") for layout in new_layouts(recording, record))
        return Telling(clean(summary_of(recording, record)), purpose, layouts)
    except UsageError:
        # The text itself says what is damaged.
        return Telling("", purpose)


def told(telling: Telling, *, short: bool) -> list[str]:
    """The lines that tell of a pass; ``short`` puts all layouts on one."""
    layouts = [f"layout of {layout}" for layout in telling.layouts]
    if short and len(layouts) > 1:
        layouts = [f"layouts of {'; '.join(telling.layouts)}"]
    return [line for line in (telling.summary, *layouts, telling.purpose) if line]


def title_of(recording: Recording, position: int) -> str:
    """The heading over the text of a pass."""
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


def _uses(recording: Recording, name: str) -> dict[str, frozenset[int]]:
    """Lines of a text by the buffer that they are about, as Python calls it."""
    uses: dict[str, set[int]] = {}
    for state in recording.buffers(name):
        uses.setdefault(base_name(state.name), set()).update(state.declared, state.used)
    return {buffer: frozenset(lines) for buffer, lines in uses.items()}


def _ready(document: Document) -> Document:
    """Has what every frame needs worked out here and not on the first frame."""
    _ = document.width, document.highest, document.changes, document.rows_by_origin
    return document


def _plain(lines: Sequence[str]) -> tuple[Row, ...]:
    return tuple(Row(" ", None, number, line) for number, line in enumerate(lines, 1))


def compared(before: Sequence[str], after: Sequence[str], key: Key | None = None) -> tuple[Row, ...]:
    """The rows of a whole diff; lines are equal when ``key`` makes them equal."""
    blocks = diff(before, after, key)
    _, gone_to, come_from = moved_blocks(blocks, before, after, key)
    rows: list[Row] = []
    for block in blocks:
        old = range(block.before_start, block.before_end)
        new = range(block.after_start, block.after_end)
        if block.kind == "equal":
            rows += [
                Row(" ", i + 1, j + 1, after[j], was=None if key is None or before[i] == after[j] else before[i])
                for i, j in zip(old, new, strict=True)
            ]
            continue
        pairs = [
            pair
            for pair in refine(block, before, after)
            # A line that moved is not half of another one that looks like it.
            if gone_to.get(pair.before, pair.after) == pair.after
            and come_from.get(pair.after, pair.before) == pair.before
        ]
        gone = {pair.before: (pair.before_spans, pair.after + 1) for pair in pairs}
        come = {pair.after: (pair.after_spans, pair.before + 1) for pair in pairs}
        rows += [_changed("-", i, before[i], gone.get(i), gone_to.get(i)) for i in old]
        rows += [_changed("+", j, after[j], come.get(j), come_from.get(j)) for j in new]
    return tuple(rows)


def _changed(sign: Sign, at: int, text: str, pair: tuple[tuple[Span, ...], int] | None, moved: int | None) -> Row:
    spans, mate = pair if pair is not None else ((), None)
    old, new = (at + 1, None) if sign == "-" else (None, at + 1)
    return Row(sign, old, new, text, spans, mate if moved is None else moved + 1, moved is not None)


def _failure(record: PassRecord) -> Notice:
    error = "\n".join(map(clean, (record.error or "").strip().splitlines()))
    return Notice(f"✗ {clean(record.label)} failed. {error or 'No message was recorded.'}", error=True)


def _remark(record: PassRecord, rows: Sequence[Row]) -> Notice | None:
    differs = any(row.sign != " " for row in rows)
    if record.changed:
        return None if differs else Notice("This pass changed the IR in a way that its text does not show.")
    if differs:
        return Notice("Only the text differs, by renumbered names, say: the IR is structurally the same.")
    return Notice("This pass left the IR as it was.")
