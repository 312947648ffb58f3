"""Two recordings side by side: what differs at the left, the text of it at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from tilescope_passdiff.compare import Comparison, compare
from tilescope_passdiff.tui.comparing import CompareEntry, CompareHeading, CompareRow, compare_rows
from tilescope_passdiff.tui.document import Document
from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.messages import Activated, CursorMoved
from tilescope_passdiff.tui.paint import clean, filled
from tilescope_passdiff.tui.widgets.bars import Footer, Header
from tilescope_passdiff.tui.widgets.find_bar import FindBar
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.text_view import TextView
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .reader import Reader

_MARKS = {"same": "=", "constants": "≈", "follows": "≠", "differs": "≠", "only-a": "A", "only-b": "B"}


class Compared(Message):
    """The comparison is done, or why it cannot be."""

    def __init__(self, comparison: Comparison | None, problem: str) -> None:
        super().__init__()
        self.comparison, self.problem = comparison, problem


class EntryRead(Message):
    """The text of the entry at ``index`` was made."""

    def __init__(self, index: int, document: Document) -> None:
        super().__init__()
        self.index, self.document = index, document


class CompareList(LineView):
    """Headings and entries; the cursor stands on entries only."""

    def __init__(self) -> None:
        super().__init__(id="entries")
        self.rows: Sequence[CompareRow] = ()

    @property
    def count(self) -> int:
        return len(self.rows)

    def take(self, rows: Sequence[CompareRow]) -> None:
        """Lists ``rows``."""
        self.rows = rows
        self.relaid(0)
        self.move_to(1)

    def differing(self, step: int) -> int | None:
        """The next (1) or previous (-1) entry with a difference of its own."""
        at = self.cursor + step
        while 0 <= at < self.count:
            row = self.rows[at]
            if isinstance(row, CompareEntry) and row.telling:
                return at
            at += step
        return None

    def move_to(self, index: int, *, tell: bool = True, center: bool = False) -> None:
        index = max(0, min(index, self.count - 1))
        step = -1 if index < self.cursor else 1
        for way in (step, -step):
            at = index
            while 0 <= at < self.count:
                if isinstance(self.rows[at], CompareEntry):
                    super().move_to(at, tell=tell, center=center)
                    return
                at += way

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, row = self.styled, self.rows[index]
        if isinstance(row, CompareHeading):
            return [], [Segment(filled(f"─ {row.title} ", self.room, "─"), styles.heading)], styles.text
        back = styles.cursor if selected else Style.null()
        pointer = ("▶" if self.has_focus else "▷") if selected else " "
        mark = {"differs": styles.changed, "only-a": styles.deleted, "only-b": styles.inserted}
        base = styles.text if row.telling else styles.dim
        first = " ◀ first" if row.first else ""
        room = max(0, self.room - 3 - len(first))
        parts = [
            Segment(pointer, styles.pointer + back),
            Segment(_MARKS[row.outcome] + " ", mark.get(row.outcome, styles.dim) + back),
            Segment(filled(row.label, room), base + back),
            Segment(first, styles.error + back),
        ]
        return [], parts, styles.text + back


class CompareScreen(Reader):
    """A at the left of everything, B at the right; deleted lines are A's, inserted ones B's."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("pane", "reader", "compare")
    BINDINGS = [*bindings("reader"), *bindings("compare")]  # noqa: RUF012 - Textual declares it so

    def __init__(self, a: Recording, b: Recording) -> None:
        super().__init__()
        self.a, self.b = a, b
        self.comparison: Comparison | None = None

    def compose(self) -> ComposeResult:
        yield Header("comparing …", id="header")
        with Horizontal(id="panes"):
            yield CompareList()
            with Container(id="reading"), Vertical(id="main"):
                yield TextView(id="text")
                yield Static(id="notice")
        yield FindBar(id="find")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        self.entries.focus()
        self.entries.caption("Differences")
        self._compare()

    @property
    def entries(self) -> CompareList:
        return self.query_one(CompareList)

    def on_resize(self, event: Resize) -> None:
        self.entries.styles.width = max(30, min(56, event.size.width * 32 // 100))

    @work(thread=True)
    def _compare(self) -> None:
        try:
            self.post_message(Compared(compare(self.a, self.b), ""))
        except UsageError as error:
            self.post_message(Compared(None, str(error)))

    @on(Compared)
    def _compared(self, message: Compared) -> None:
        self.comparison = message.comparison
        if message.comparison is None:
            self._present(Document("", notice=None))
            self.query_one("#notice", Static).add_class("-shown", "-error").update(Content(clean(message.problem)))
            return
        rows = compare_rows(self.a, self.b, message.comparison)
        self.query_one(Header).update(self._headline(message.comparison), layout=False)
        differing = sum(isinstance(row, CompareEntry) and row.telling for row in rows)
        self.entries.caption("Differences", str(differing) if differing else "none")
        self.entries.take(rows)

    def _headline(self, comparison: Comparison) -> Content:
        same = comparison.same
        verdict = ("the compiler makes the same of both", "$success") if same else ("they differ", "bold $warning")
        names = [clean(recording.path.name) for recording in (self.a, self.b)]
        return Content.assemble(verdict, f" · A {names[0]} · B {names[1]}")

    @on(CursorMoved)
    def _moved(self, message: CursorMoved) -> None:
        if message.pane == "entries":
            self._read(message.index)

    @work(thread=True, exclusive=True, group="entry")
    def _read(self, index: int) -> None:
        row = self.entries.rows[index]
        assert isinstance(row, CompareEntry)
        document = row.document()
        if not get_current_worker().is_cancelled:
            self.post_message(EntryRead(index, document))

    @on(EntryRead)
    def _entry_read(self, message: EntryRead) -> None:
        if message.index == self.entries.cursor:
            self._present(message.document)

    def _present(self, document: Document) -> None:
        self.text.show(document, full=self.reading.full, split=self.reading.split, row=document.start)
        notice = self.query_one("#notice", Static)
        notice.set_class(document.notice is not None, "-shown")
        notice.set_class(document.notice is not None and document.notice.error, "-error")
        notice.update(Content(document.notice.text if document.notice else ""))

    @on(Activated)
    def _activated(self, message: Activated) -> None:
        if message.pane == "entries":
            self.text.focus()
        elif self.text.row is not None:
            self.text.unfold(self.text.row)

    def action_difference(self, step: int) -> None:
        found = self.entries.differing(step)
        if found is not None:
            self.entries.move_to(found, center=True)

    def action_back(self) -> None:
        if not self.step_back():
            self.entries.focus()
