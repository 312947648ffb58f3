"""The life of a Python line or a buffer: each pass that changed it, in words and with its part of the diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.message import Message
from textual.widgets import Static

from tilescope_passdiff.steps import step_lines
from tilescope_passdiff.tui.document import Document, Notice, Row
from tilescope_passdiff.tui.facts import FactLine, picture_lines
from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.messages import Activated, CursorMoved
from tilescope_passdiff.tui.paint import cells, clean, filled
from tilescope_passdiff.tui.selection import Selection
from tilescope_passdiff.tui.syntax import Language
from tilescope_passdiff.tui.widgets.bars import Footer, Header
from tilescope_passdiff.tui.widgets.find_bar import FindBar
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.styles import CONSOLE
from tilescope_passdiff.tui.widgets.text_view import TextView
from tilescope_trace.errors import UsageError
from tilescope_trace.history import History, of_buffer, of_line
from tilescope_trace.store.read import Recording

from .reader import Reader
from .stack import leave


@dataclass(frozen=True)
class Stage:
    """One entry of the list: the pass at ``position`` (None for the generated source), what it did, and its text."""

    label: str
    change: str
    position: int | None
    document: Document


class HistoryReady(Message):
    """The history was worked out, or why it cannot be."""

    def __init__(self, title: str, stages: tuple[Stage, ...], problem: str) -> None:
        super().__init__()
        self.title, self.stages, self.problem = title, stages, problem


class StageList(LineView):
    """The passes that changed the subject, each with what it did below its name."""

    def __init__(self) -> None:
        super().__init__(id="stages")
        self.stages: Sequence[Stage] = ()

    @property
    def count(self) -> int:
        return len(self.stages)

    def take(self, stages: Sequence[Stage]) -> None:
        """Lists the stages."""
        self.stages = stages
        self.relaid(max((36 + cells(stage.change) for stage in stages), default=0))

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, stage = self.styled, self.stages[index]
        back = styles.cursor if selected else Style.null()
        pointer = ("▶" if self.has_focus else "▷") if selected else " "
        parts = [
            Segment(filled(stage.label, 33) + " ", styles.bold + back),
            Segment(stage.change, styles.text + back),
        ]
        return [Segment(pointer, styles.pointer + back)], parts, styles.text + back


class PictureView(LineView):
    """The picture of a buffer's layout."""

    def __init__(self) -> None:
        super().__init__(id="picture")
        self.lines: tuple[FactLine, ...] = ()

    @property
    def count(self) -> int:
        return len(self.lines)

    def take(self, lines: tuple[FactLine, ...]) -> None:
        """Shows the lines of a picture."""
        self.lines = lines
        self.caption("Layout")
        self.relaid(0)

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:  # noqa: ARG002
        line, base = self.lines[index], self.styled.text
        if line.picture is None:
            return [], [Segment(text, self.styled.named(name)) for text, name in line.parts], base
        return [], [Segment(one.text, one.style or base) for one in line.picture.render(CONSOLE)], base


class HistoryScreen(Reader):
    """Ends with the position of the pass that the reader wants to see whole, or None."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("pane", "reader", "history")
    BINDINGS = [*bindings("reader"), *bindings("history")]  # noqa: RUF012 - Textual declares it so

    def __init__(self, recording: Recording, selection: Selection) -> None:
        super().__init__()
        self.recording, self.selection = recording, selection

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Horizontal(id="panes"), Container(id="reading"):
            yield StageList()
            with Vertical(id="main"):
                yield TextView(id="text")
                yield Static(id="notice")
            yield PictureView()
        yield FindBar(id="find")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        self.query_one(StageList).focus()
        self.query_one(StageList).caption("What became of it", "Enter shows the whole pass")
        self.arrange_panes()
        self._work_out()

    def arrange_panes(self) -> None:
        super().arrange_panes()
        picture = self.query_one(PictureView)
        picture.display = picture.display and picture.count > 0

    @work(thread=True)
    def _work_out(self) -> None:
        try:
            title, stages = _stages(self.recording, self.selection)
            self.post_message(HistoryReady(title, stages, ""))
        except UsageError as error:
            self.post_message(HistoryReady("", (), str(error)))

    @on(HistoryReady)
    def _ready(self, message: HistoryReady) -> None:
        self.query_one(Header).tell(message.title)
        self.query_one(StageList).take(message.stages)
        if message.problem:
            notice = Notice(clean(message.problem), error=True)
            self.query_one("#notice", Static).add_class("-shown").update(notice.text)
            return
        buffer = next((one for one in self.recording.info.kernel.buffers if one.name == self.selection.buffer), None)
        if buffer is not None and buffer.layout is not None:
            lines = tuple(picture_lines(buffer, self.recording.info.kernel.target, self.size.width - 4))
            self.query_one(PictureView).take(lines)
            self.arrange_panes()
        self._show(0)

    @on(CursorMoved)
    def _moved(self, message: CursorMoved) -> None:
        if message.pane == "stages":
            self._show(message.index)

    def _show(self, index: int) -> None:
        stages = self.query_one(StageList).stages
        if index < len(stages):
            self.text.show(stages[index].document, full=True, split=self.reading.split)

    @on(Activated)
    def _activated(self, message: Activated) -> None:
        if message.pane == "stages":
            leave(self, self.query_one(StageList).stages[message.index].position)

    def action_back(self) -> None:
        if not self.step_back():
            leave(self)


def _stages(recording: Recording, selection: Selection) -> tuple[str, tuple[Stage, ...]]:
    """A title, and the stages: what each pass did, then the generated lines. Raises UsageError."""
    history = _history(recording, selection)
    positions = {record.index: at for at, record in enumerate(recording.passes)}
    stages = []
    for step in history.steps:
        rows = tuple(
            Row(
                "-" if line.kind == "delete" else "+", line.before, line.after, clean(line.text), _spans(line.changed)
            )
            for line in step_lines(recording, step)
        )
        change = clean(step.change)
        position = positions[step.record.index]
        label = f"{step.record.index:>3} {clean(step.record.label)}"
        stages.append(Stage(label, change, position, _document(label, rows, "python")))
    if history.generated:
        rows = tuple(
            Row(" ", None, entry.line, clean(entry.text) + (f"  {clean(entry.role)}" if entry.role else ""))
            for entry in history.generated
        )
        lines = len(rows)
        stages.append(
            Stage("generated source", f"{lines} line{'s' * (lines != 1)}", None, _document("Generated", rows, "c"))
        )
    subject = history.subject
    name = subject.name or f"{subject.file}:{subject.line}"
    notes = "".join(f" · {note}" for note in history.notes)
    return clean(f"History of {name}{notes}"), tuple(stages)


def _history(recording: Recording, selection: Selection) -> History:
    if selection.buffer is not None:
        return of_buffer(recording, selection.buffer)
    place = selection.places[0]
    return of_line(recording, place.line, place.file)


def _document(title: str, rows: tuple[Row, ...], language: Language) -> Document:
    return Document(title, rows, language, whole=language == "c")


def _spans(changed: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple((start - 1, end - 1) for start, end in changed)
