"""The pane below a timeline: facts and tables, whose lines may lead to slices."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.timeline_words import Told

from .line_view import LineView


class ToldView(LineView):
    """Lines of text."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.lines: tuple[Told, ...] = ()

    @property
    def count(self) -> int:
        return len(self.lines)

    def take(self, lines: Sequence[Told]) -> None:
        """Shows other lines, from the first one on."""
        self.lines = tuple(lines)
        self.cursor = 0
        self.scroll_to(x=0, y=0, animate=False, force=True)
        self.relaid(2 + max((len(line.text) for line in lines), default=0))

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, line = self.styled, self.lines[index]
        back = styles.cursor if selected and self.has_focus else Style.null()
        sign = "▶ " if selected and self.has_focus else "  "
        style = styles.named(line.style) + back
        return [Segment(sign, styles.pointer + back)], [Segment(line.text, style)], styles.text + back
