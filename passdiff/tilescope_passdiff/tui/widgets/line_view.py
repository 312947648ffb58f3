"""A pane of lines with a cursor: only what is visible is ever drawn, and drawn lines are kept."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.content import Content
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tilescope_passdiff.tui.keys import bindings
from tilescope_passdiff.tui.messages import Activated, CursorMoved
from tilescope_passdiff.tui.paint import clean
from tilescope_passdiff.tui.palette import DARK, Palette

from .styles import Styles


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """Base of all panes. A subclass says how many lines there are (``count``) and draws one (``draw``)."""

    BINDINGS = bindings("pane")
    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineView { scrollbar-size: 0 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.styled = Styles.of(DARK, monochrome=False)
        self.cursor = 0
        self._caption = ""
        self._drawn: LRUCache[tuple[Any, ...], Strip] = LRUCache(2000)

    @property
    def count(self) -> int:
        """Lines there are."""
        raise NotImplementedError

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        """Line ``index``: the gutter, which stays when scrolled sideways, the text, and the style to its right."""
        raise NotImplementedError

    def variant(self, index: int) -> object:  # noqa: ARG002 - subclasses use it
        """What else the look of line ``index`` depends on and changes often; lines are kept for each value."""
        return None

    def moved(self) -> Message:
        """What to post when the person moved the cursor."""
        return CursorMoved(self.id or "", self.cursor)

    def caption(self, *parts: str) -> None:
        """Puts the non-empty ``parts``, plain text, over the pane."""
        caption = " · ".join(clean(part) for part in parts if part)
        if caption != self._caption:
            self._caption = caption
            self.border_title = Content(caption)

    def look(self, palette: Palette, monochrome: bool) -> None:
        """Takes other colours."""
        self.styled = Styles.of(palette, monochrome)
        self.redraw()

    def relaid(self, width: int) -> None:
        """To be called when the lines are others; ``width`` is that of the widest, gutter included, in cells."""
        self.virtual_size = Size(width, self.count)
        self.cursor = max(0, min(self.cursor, self.count - 1))
        self.redraw()

    def redraw(self) -> None:
        """Forgets what was drawn."""
        self._drawn.clear()
        self.refresh()

    def move_to(self, index: int, *, tell: bool = True, center: bool = False) -> None:
        """Puts the cursor on line ``index`` (the nearest there is) and scrolls to it. ``tell`` posts it."""
        index = max(0, min(index, self.count - 1))
        before, self.cursor = self.cursor, index
        self.refresh_lines(before)
        self.refresh_lines(index)
        self._reveal(center)
        if tell and self.count:
            self.post_message(self.moved())

    def _reveal(self, center: bool = False) -> None:
        top, height = round(self.scroll_y), self.scrollable_content_region.height
        if height and not top <= self.cursor < top + height:
            nearest = self.cursor if self.cursor < top else self.cursor - height + 1
            self.scroll_to(y=self.cursor - height // 3 if center else nearest, animate=False, force=True)

    def in_view(self) -> range:
        """The lines in view."""
        top = round(self.scroll_y)
        return range(top, min(self.count, top + self.scrollable_content_region.height))

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        left, top = self.scroll_offset
        index = top + y
        if index >= self.count:
            return Strip.blank(width, self.styled.text)
        selected = index == self.cursor
        key = (index, left, width, selected, selected and self.has_focus, self.variant(index))
        strip = self._drawn.get(key)
        if strip is None:
            gutter, text, filler = self.draw(index, selected)
            room = max(0, width - _cells(gutter))
            strip = self._drawn[key] = Strip([*gutter, *self._cropped(text, left, room, filler)], width)
        return strip

    def _cropped(self, text: list[Segment], left: int, room: int, filler: Style) -> list[Segment]:
        """What of a line is in view, ``room`` cells wide, with a sign at each end where there is more."""
        length = _cells(text)
        if left == 0 and length <= room:
            return [*text, Segment(" " * (room - length), filler)]
        more = filler + Style(color=self.styled.dim.color)
        first = [Segment("‹", more)] if left and length else []
        last = [Segment("›", more)] if length > left + room else []
        middle = Strip(text, length).crop(left + len(first), left + max(len(first), room - len(last)))
        return list(Strip([*first, *middle, *last]).adjust_cell_length(room, filler))

    def on_resize(self, _event: Resize) -> None:
        self._drawn.clear()
        self._reveal(center=True)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = offset.y + round(self.scroll_y)
        if index < self.count:
            self.move_to(index)
            if event.chain == 2:
                self.post_message(Activated(self.id or "", index))

    def action_cursor(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def action_page(self, direction: int) -> None:
        self.move_to(self.cursor + direction * max(1, self.scrollable_content_region.height - 1))

    def action_edge(self, direction: int) -> None:
        self.move_to(self.count - 1 if direction > 0 else 0)

    def action_sideways(self, cells: int) -> None:
        self.scroll_relative(x=cells, animate=False, force=True)

    def action_activate(self) -> None:
        if self.count:
            self.post_message(Activated(self.id or "", self.cursor))


def _cells(segments: list[Segment]) -> int:
    return sum(segment.cell_length for segment in segments)
