"""A pane of lines with a cursor: only what is visible is ever drawn, and drawn lines are kept.

The pane draws its whole box, title and all, past Textual's cache of styled lines: that one makes each line anew with
every frame, which takes ten times as long as all the rest of a frame.
"""

from __future__ import annotations

from typing import Any, Protocol

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.events import Click, MouseDown, MouseMove, Resize
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.messages import Activated, CursorMoved
from tilescope_passdiff.tui.paint import clean, shortened
from tilescope_passdiff.tui.palette import DARK, Palette

from .styles import Styles


class Margin(Protocol):
    """A column before the gutter of a pane's lines."""

    def width(self, pane: LineView) -> int:
        """Cells that it takes."""

    def draw(self, pane: LineView, index: int) -> list[Segment]:
        """What stands there at line ``index``."""


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """Base of all panes. A subclass says how many lines there are (``count``) and draws one (``draw``)."""

    BINDINGS = bindings("pane")
    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineView { scrollbar-size: 0 0; border-top: solid $panel; background: $background; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.styled = Styles.of(DARK, monochrome=False)
        self.cursor = 0
        self.margin: Margin | None = None
        self._caption = self._short_caption = ""
        self._drawn: LRUCache[tuple[Any, ...], Any] = LRUCache(2000)

    @property
    def room(self) -> int:
        """Cells of a line: the last column is the scroll bar's."""
        # Its box has no sides: this is what `size` would work out at length, many times a frame.
        return max(0, self.outer_size.width - 1)

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

    def caption(self, *parts: str, short: str = "") -> None:
        """Puts the non-empty ``parts``, plain text, over the pane; ``short`` where they do not fit."""
        caption = " · ".join(clean(part) for part in parts if part)
        if (caption, short) != (self._caption, self._short_caption):
            self._caption, self._short_caption = caption, short
            self.refresh(Region(0, 0, self.size.width, 1))

    def look(self, palette: Palette, monochrome: bool) -> None:
        """Takes other colours."""
        self.styled = Styles.of(palette, monochrome)
        self.redraw()

    def relaid(self, width: int) -> None:
        """To be called when the lines are others; ``width`` is that of the widest, gutter included, in cells."""
        margin = self.margin.width(self) if self.margin is not None else 0
        # One column more than the lines take: the scroll bar's.
        self.virtual_size = Size(width + margin + 1, self.count)
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
        top, height = round(self.scroll_y), self.size.height
        if height and not top <= self.cursor < top + height:
            nearest = self.cursor if self.cursor < top else self.cursor - height + 1
            self.scroll_to(y=self.cursor - height // 3 if center else nearest, animate=False, force=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        width, height = self.region.width, self.region.height - 1
        bar, offset = self._bar(height), self.scroll_offset
        lines = [
            self._drawn_title(width) if y == 0 else self._strip(y - 1, width, bar, offset)
            for y in range(crop.y, crop.bottom)
        ]
        if filters := self.get_line_filters():
            background = self.background_colors[1]
            for line_filter in filters:
                lines = [line.apply_filter(line_filter, background) for line in lines]
        if (crop.x, crop.width) == (0, width):
            return lines
        return [line.crop(crop.x, crop.right) for line in lines]

    def _drawn_title(self, width: int) -> Strip:
        room = max(0, width - 4)
        caption = self._short_caption if self._short_caption and cell_len(self._caption) > room else self._caption
        key = ("title", caption, width, self.has_focus)
        strip = self._drawn.get(key)
        if strip is None:
            styles = self.styled
            rule, style = ("━", styles.pointer) if self.has_focus else ("─", styles.heading)
            title = shortened(caption, room)
            text = f"{rule} {title} " if title else ""
            strip = self._drawn[key] = Strip(
                [Segment(text, style), Segment(rule * max(0, width - cell_len(text)), style)]
            ).crop(0, width)
        return strip

    def in_view(self) -> range:
        """The lines in view."""
        top = round(self.scroll_y)
        return range(top, min(self.count, top + self.size.height))

    def render_line(self, y: int) -> Strip:
        return self._strip(y, self.size.width, self._bar(self.size.height), self.scroll_offset)

    def _strip(self, y: int, width: int, bar: str, offset: Offset) -> Strip:
        """Line ``y`` of the pane, which is ``width`` cells wide, its part of the scroll bar included."""
        left, top = offset
        index, part = top + y, bar[y : y + 1]
        selected = index == self.cursor
        variant = self.variant(index) if index < self.count else None
        key = (index, left, part, width, selected, selected and self.has_focus, variant)
        strip = self._drawn.get(key)
        if strip is None:
            segments, filler = self.drawn_line(index, selected, left)
            strip = Strip([*segments, Segment(part or " ", self.styled.bar if part == " " else self.styled.thumb)])
            strip = self._drawn[key] = strip.adjust_cell_length(width, filler)
        return strip

    def drawn_line(self, index: int, selected: bool, left: int) -> tuple[list[Segment], Style]:
        if index >= self.count:
            return [Segment(" " * self.room, self.styled.text)], self.styled.text
        gutter, text, filler = self.draw(index, selected)
        if self.margin is not None:
            gutter = [*self.margin.draw(self, index), *gutter]
        return [*gutter, *self.cropped(text, left, max(0, self.room - cells_of(gutter)), filler)], filler

    def _bar(self, height: int) -> str:
        """The scroll bar from top to bottom; blank where everything is in view."""
        if self.count <= height:
            return " " * height
        thumb = max(1, height * height // self.count)
        at = round((height - thumb) * min(1.0, self.scroll_y / (self.count - height)))
        return " " * at + "█" * thumb + " " * (height - at - thumb)

    def cropped(self, text: list[Segment], left: int, room: int, filler: Style) -> list[Segment]:
        """What of a line is in view, ``room`` cells wide, with a sign at each end where there is more."""
        length = cells_of(text)
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

    def watch_has_focus(self, _has_focus: bool) -> None:
        """No style sheet rule depends on it: nothing to look up."""

    def on_mouse_down(self, event: MouseDown) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and offset.x >= self.room and self.count > self.size.height:
            self.capture_mouse()
            self._drag(offset.y)

    def on_mouse_move(self, event: MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._drag(event.get_content_offset_capture(self).y)

    def on_mouse_up(self) -> None:
        self.release_mouse()

    def _drag(self, y: int) -> None:
        share = y / max(1, self.size.height - 1)
        self.scroll_to(y=round(share * (self.count - self.size.height)), animate=False, force=True)

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.x >= self.room:
            return
        index = offset.y + round(self.scroll_y)
        if index < self.count:
            self.move_to(index)
            if event.chain == 2:
                self.post_message(Activated(self.id or "", index))

    def action_cursor(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def action_page(self, direction: int) -> None:
        self.move_to(self.cursor + direction * max(1, self.size.height - 1))

    def action_edge(self, direction: int) -> None:
        self.move_to(self.count - 1 if direction > 0 else 0)

    def action_sideways(self, cells: int) -> None:
        self.scroll_relative(x=cells, animate=False, force=True)

    def action_activate(self) -> None:
        if self.count:
            self.post_message(Activated(self.id or "", self.cursor))


def cells_of(segments: list[Segment]) -> int:
    return sum(segment.cell_length for segment in segments)
