"""The pane of facts: memory against capacity, launch, occupancy, buffers with pictures of layouts, findings."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.events import Resize

from tilescope_passdiff.tui.facts import FactLine, fact_lines
from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.selection import Selection
from tilescope_trace.model import Origin, RecordingInfo

from .search_view import SearchView
from .styles import CONSOLE


class FactsView(SearchView):
    """Facts of one kernel, each linked to its Python line, buffers also to all IR about them."""

    links = Links(())

    def __init__(self, info: RecordingInfo, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.info = info
        self.file: str | None = None
        self.opened: frozenset[str] = frozenset()
        self.lines: tuple[FactLine, ...] = fact_lines(info, self.opened, 80)
        self.strong: frozenset[int] = frozenset()
        self.caption("Facts")

    @property
    def count(self) -> int:
        return len(self.lines)

    @property
    def row(self) -> int | None:
        return self.cursor if self.lines else None

    def texts(self) -> Iterable[str]:
        return (_plain(line) for line in self.lines)

    def go_to(self, row: int) -> None:
        self.move_to(row, center=True)

    def toggle_picture(self) -> bool:
        """Draws the layout of the buffer at the cursor, or takes it away; False where there is no buffer."""
        buffer = self.lines[self.cursor].buffer if self.lines else None
        if buffer is None:
            return False
        self.opened ^= {buffer}
        self.lay()
        self.move_to(next(at for at, line in enumerate(self.lines) if line.buffer == buffer))
        return True

    def lay(self) -> None:
        """Makes the lines anew."""
        self.lines = fact_lines(self.info, self.opened, self.room)
        self.relaid(max((len(_plain(line)) for line in self.lines), default=0) + 1)

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self.lay()

    def pointed(self) -> Selection:
        """The Python line, and the buffer, of the fact at the cursor."""
        line = self.lines[self.cursor] if self.lines else FactLine()
        places = (Origin(self.file, line.line),) if self.file is not None and line.line is not None else ()
        return Selection(places, line.buffer)

    def point_at(self, selection: Selection) -> None:
        """Marks the facts about what is selected."""
        found = frozenset(link.line for link in self.links.lines(selection.places) if link.source.path == self.file)
        if found != self.strong:
            self.strong = found
            self.refresh()

    def variant(self, index: int) -> object:
        return self.lines[index].line in self.strong

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, line = self.styled, self.lines[index]
        back = styles.cursor if selected and self.has_focus else Style.null()
        if line.line is not None and line.line in self.strong:
            back = styles.linked + back
        pointer = ("▶" if self.has_focus else " ") if selected else "◆" if line.line in self.strong else " "
        gutter = [Segment(pointer, styles.pointer)]
        base = styles.text + back
        if line.picture is not None:
            return gutter, [Segment(one.text, one.style or base) for one in line.picture.render(CONSOLE)], base
        return gutter, [Segment(text, styles.named(name) + back) for text, name in line.parts], base


def _plain(line: FactLine) -> str:
    return line.picture.plain if line.picture is not None else "".join(text for text, _ in line.parts)
