"""The list of lowering passes: phases, nesting, what changed and by how many lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from tilescope_passdiff.tui.messages import PassChosen
from tilescope_passdiff.tui.paint import cells, clean, filled, shorten
from tilescope_passdiff.tui.state import Counts, Heading, ListRow, list_rows
from tilescope_trace.model import PassRecord

from .line_view import LineView

NUMBER_FROM, BAR_FROM, SUMMARY_FROM = 34, 42, 76
"""Widths in cells from which a pass shows its number, a bar of its own time, and what it did."""
BAR_CELLS, LABEL_ROOM = 4, 40
MARKS = {"changed": "●", "unchanged": "·", "failed": "✗"}


class PassList(LineView):
    """Headings and passes; the cursor stands on passes only."""

    def __init__(self, passes: Sequence[PassRecord], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.passes = passes
        self.rows: tuple[ListRow, ...] = ()
        self.counts: dict[int, Counts] = {}
        self._widths: tuple[int, ...] = (0, 0)
        self.summaries: dict[int, str] = {}
        self.touched: frozenset[int] = frozenset()
        self.noted: frozenset[int] = frozenset()
        self._own_ms = own_times(passes)
        self._longest = max(self._own_ms, default=0.0)

    @property
    def count(self) -> int:
        return len(self.rows)

    def list_passes(self, changed_only: bool, needle: str, selected: int) -> None:
        """Shows all passes, or those that changed something or match ``needle``, with the cursor on ``selected``."""
        self.rows = list_rows(self.passes, changed_only, needle)
        changed = sum(record.changed for record in self.passes)
        counted = f"{changed} of {len(self.passes)} changed" if self.passes else "none recorded"
        if changed_only:
            counted = f"{changed} changed · {len(self.passes) - changed} hidden"
        sought, few = f"{needle!r}" if needle else "", f"{changed} of {len(self.passes)} changed"
        self.caption("Passes", counted, sought, short=f"{few} · {clean(sought)}" if sought else f"Passes · {few}")
        self.relaid(0)
        self.point_at(selected)

    def point_at(self, position: int) -> None:
        """Puts the cursor on the pass at ``position``, without a message."""
        if position in self.rows:
            super().move_to(self.rows.index(position), tell=False, center=True)

    def add_counts(self, counts: dict[int, Counts]) -> None:
        """Fills in changed lines of some passes."""
        self.counts |= counts
        shown = self.counts.values()
        self._widths = tuple(max((len(str(both[side])) for both in shown), default=0) + 1 + side for side in (0, 1))
        self.redraw()

    def summarise(self, position: int, summary: str) -> None:
        """Fills in what a pass did, for lists that are wide enough."""
        self.summaries[position] = summary
        if self.room >= SUMMARY_FROM:
            self.redraw()

    def touch(self, positions: frozenset[int]) -> None:
        """Marks the passes that changed what is selected."""
        if positions != self.touched:
            self.touched = positions
            self.refresh()

    def note(self, positions: frozenset[int]) -> None:
        """Marks the passes with bookmarks or notes."""
        if positions != self.noted:
            self.noted = positions
            self.redraw()

    def variant(self, index: int) -> object:
        return self.rows[index] in self.touched

    def moved(self) -> Message:
        row = self.rows[self.cursor]
        return PassChosen(row) if isinstance(row, int) else super().moved()

    def move_to(self, index: int, *, tell: bool = True, center: bool = False) -> None:
        index = max(0, min(index, self.count - 1))
        ahead = -1 if index < self.cursor else 1
        found = self._nearest_pass(index, ahead)
        if found is None:
            found = self._nearest_pass(index, -ahead)
        if found is None:
            return
        super().move_to(found, tell=tell, center=center)
        if not any(isinstance(row, int) for row in self.rows[:found]):
            # Above the first pass there is only its heading: let it be seen.
            self.scroll_to(y=0, animate=False, force=True)

    def _nearest_pass(self, index: int, step: int) -> int | None:
        """The first line from ``index`` on, going by ``step``, that is a pass."""
        while 0 <= index < self.count:
            if isinstance(self.rows[index], int):
                return index
            index += step
        return None

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, width = self.styled, self.room
        row = self.rows[index]
        if isinstance(row, Heading):
            title = f" {clean(row.title)} "
            return [], [Segment(filled("─" + title, width, "─"), styles.heading)], styles.text
        record = self.passes[row]
        base, mark = self._look_of(record)
        back = styles.cursor if selected else Style.null()
        pointer = ("▶" if self.has_focus else "▷") if selected else "◆" if row in self.touched else " "
        told = self.summaries.get(row, "") if width >= SUMMARY_FROM else ""
        counts = self._counts_of(row, record)
        number = f"{record.index:>3} " if width >= NUMBER_FROM else ""
        bar = f" {gauge(self._own_ms[row], self._longest)}" if width >= BAR_FROM else ""
        star = "★" if row in self.noted else ""
        room = width - 3 - len(number) - sum(len(text) for text, _ in counts) - len(bar) - len(star) - 2
        if width >= SUMMARY_FROM:
            told = filled(told, max(0, room - LABEL_ROOM))
            room -= cells(told)
        label = shorten("  " * min(record.depth, 4) + clean(record.label), room)
        segments = [
            Segment(pointer, styles.pointer + back),
            Segment(mark[0] + " ", mark[1] + back),
            Segment(number, styles.dim + back),
            Segment(filled(label, room + 1), base + back),
            Segment(told, styles.dim + back),
            Segment(star, styles.changed + back),
            *(Segment(text, style + back) for text, style in counts),
            Segment(bar + " ", styles.dim + back),
        ]
        return [], segments, styles.text + back

    def _look_of(self, record: PassRecord) -> tuple[Style, tuple[str, Style]]:
        styles = self.styled
        if record.status == "failed":
            return styles.error, (MARKS["failed"], styles.error)
        if record.changed:
            return styles.text, (MARKS["changed"], styles.changed)
        return styles.dim, (MARKS["unchanged"], styles.dim)

    def _counts_of(self, position: int, record: PassRecord) -> list[tuple[str, Style]]:
        styles = self.styled
        if record.status == "failed":
            return [("failed", styles.error)]
        if position not in self.counts:
            return [("…", styles.dim)] if record.changed else []
        inserted, deleted = self.counts[position]
        if not (inserted or deleted):
            return [("±0", styles.dim)]
        plus, minus = self._widths
        return [
            (f"+{inserted}".rjust(plus) if inserted else " " * plus, styles.inserted),
            (f"−{deleted}".rjust(minus) if deleted else " " * minus, styles.deleted),
        ]


def own_times(passes: Sequence[PassRecord]) -> list[float]:
    """The time of each pass in ms without that of the passes inside it."""
    own = {record.index: record.duration_ms for record in passes}
    for record in passes:
        if record.parent in own:
            own[record.parent] -= record.duration_ms
    return [max(0.0, own[record.index]) for record in passes]


def gauge(share: float, whole: float) -> str:
    """``share`` of ``whole`` as a bar of `BAR_CELLS` cells; anything but nothing is seen."""
    eighths = round(8 * BAR_CELLS * share / whole) if whole > 0 else 0
    eighths = max(eighths, 1 if share > whole / 200 else 0)
    return ("█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()).ljust(BAR_CELLS)
