"""The diff of a pass as rows of two columns: what stood there on the left, what stands there now on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.provenance import of_text
from tilescope_trace.store.read import Recording

from . import lines, words
from .diff import MovedBlock, moved_blocks
from .normalise import Key, key_of

RowKind = Literal["equal", "change", "delete", "insert", "skip"]
Origins = Mapping[int, "tuple[Origin, ...]"]
"""The Python lines of text lines (1-based)."""


@dataclass(frozen=True)
class SideLine:
    """One line of one side. ``changed`` are (column, end column) of what differs in it, empty where the whole line is
    new or gone; ``moved`` is its line number on the other side where it only moved or was indented; ``source`` are
    the Python lines it comes from. 1-based, ends exclusive."""

    line: int
    text: str
    changed: tuple[tuple[int, int], ...]
    moved: int | None
    source: tuple[Origin, ...]


@dataclass(frozen=True)
class SideRow:
    """One row: a line on each side (``equal``; ``change`` where the left one became the right one), on one side only
    (``delete``, ``insert``), or on none, for ``skipped`` equal lines that are left out (``skip``)."""

    kind: RowKind
    before: SideLine | None
    after: SideLine | None
    skipped: int


@dataclass(frozen=True)
class Sides:
    """``insertions`` and ``deletions`` count whole lines, moved ones among them; a changed line is one of each."""

    insertions: int
    deletions: int
    rows: tuple[SideRow, ...]
    moved: tuple[MovedBlock, ...]


@dataclass(frozen=True)
class _Side:
    lines: Sequence[str]
    origins: Origins

    def line(self, at: int, spans: Sequence[words.Span] = (), moved: int | None = None) -> SideLine:
        """The line of the 0-based number ``at``; ``moved`` is 0-based as well."""
        return SideLine(
            at + 1,
            self.lines[at],
            tuple((start + 1, end + 1) for start, end in spans),
            None if moved is None else moved + 1,
            self.origins.get(at + 1, ()),
        )


def pass_sides(
    recording: Recording,
    record: PassRecord,
    *,
    context: int | None = 3,
    hide_renumbering: bool = False,
    hide_indentation: bool = False,
) -> Sides:
    """What a pass did to its own input, with ``context`` equal lines around each change (None: all of them). A failed
    pass has its input on both sides. Raises RecordingError where a text is damaged."""
    before, after = record.before, record.after if record.after is not None else record.before
    return text_sides(
        lines.split(recording.text(before)),
        lines.split(recording.text(after)),
        context=context,
        key=key_of(hide_renumbering=hide_renumbering, hide_indentation=hide_indentation),
        origins=(of_text(recording, before).origins, of_text(recording, after).origins),
    )


def text_sides(
    before: Sequence[str],
    after: Sequence[str],
    *,
    context: int | None = 3,
    key: Key | None = None,
    origins: tuple[Origins, Origins] = ({}, {}),
) -> Sides:
    """The same of two texts, given as lines, with the Python lines of each; lines are equal when ``key`` makes them
    equal."""
    left, right = _Side(before, origins[0]), _Side(after, origins[1])
    blocks = lines.diff(before, after, key=key)
    found, gone_to, come_from = moved_blocks(blocks, before, after, key)
    insertions, deletions = lines.count(blocks)
    rows = tuple(
        row
        for number, block in enumerate(blocks)
        for row in (
            _equal(block, left, right, context, first=number == 0, last=number == len(blocks) - 1)
            if block.kind == "equal"
            else _changed(block, left, right, gone_to, come_from)
        )
    )
    return Sides(insertions, deletions, rows, found)


def _equal(
    block: lines.Block, before: _Side, after: _Side, context: int | None, *, first: bool, last: bool
) -> Iterator[SideRow]:
    """The lines of an equal block that are near a change, and how many there are between."""
    count = block.before_end - block.before_start
    head, tail = (count, 0) if context is None else (0 if first else context, 0 if last else context)
    end = max(count - tail, 0)
    skipped = range(min(head, count), end)
    for step in range(count):
        if step not in skipped:
            i, j = block.before_start + step, block.after_start + step
            yield SideRow("equal", before.line(i), after.line(j), 0)
        elif step == skipped.start:
            yield SideRow("skip", None, None, len(skipped))


def _changed(
    block: lines.Block, before: _Side, after: _Side, gone_to: dict[int, int], come_from: dict[int, int]
) -> Iterator[SideRow]:
    def deleted(at: int) -> SideRow:
        return SideRow("delete", before.line(at, moved=gone_to.get(at)), None, 0)

    def inserted(at: int) -> SideRow:
        return SideRow("insert", None, after.line(at, moved=come_from.get(at)), 0)

    i, j = block.before_start, block.after_start
    for pair in words.refine(block, before.lines, after.lines):
        # A line that moved is not half of another one that looks like it.
        if (
            gone_to.get(pair.before, pair.after) != pair.after
            or come_from.get(pair.after, pair.before) != pair.before
        ):
            continue
        yield from map(deleted, range(i, pair.before))
        yield from map(inserted, range(j, pair.after))
        old = before.line(pair.before, pair.before_spans, gone_to.get(pair.before))
        yield SideRow("change", old, after.line(pair.after, pair.after_spans, come_from.get(pair.after)), 0)
        i, j = pair.before + 1, pair.after + 1
    yield from map(deleted, range(i, block.before_end))
    yield from map(inserted, range(j, block.after_end))
