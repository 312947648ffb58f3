"""The heat column before the lines of a pane: self %, and what is waited for most where there is room."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.document import Document
from tilescope_passdiff.tui.paint import clean
from tilescope_trace.model import Origin
from tilescope_trace.profile.heat import Heat, Hot

from .generated_view import GeneratedView
from .line_view import LineView
from .source_view import SourceView
from .styles import Styles
from .text_view import TextView

WIDE_FROM = 80
"""Cells of a pane from which there is room for the reason."""
_NARROW, _WIDE = 5, 21
_HOT, _WARM = 0.2, 0.05
"""Shares from which a line stands out."""


class HeatColumn:
    """Draws the shares of one ``heat`` before the lines of a pane."""

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self._known: tuple[Document, Mapping[int, Origin]] = (Document(""), {})

    def width(self, pane: LineView) -> int:
        """Cells that it takes in a pane."""
        return _WIDE if pane.room >= WIDE_FROM else _NARROW

    def draw(self, pane: LineView, index: int) -> list[Segment]:
        """The column at line ``index`` of ``pane``."""
        hot = self._hot(pane, index)
        width, styles = self.width(pane), pane.styled
        if hot is None:
            return [Segment(" " * width, styles.text)]
        share = "<1%" if hot.share < 0.005 else f"{hot.share:.0%}"
        text = f"{share:>4} "
        if width == _WIDE:
            text += clean(hot.why or "")
        return [Segment(set_cell_size(text, width - 1) + " ", _style(styles, hot))]

    def _hot(self, pane: LineView, index: int) -> Hot | None:
        if isinstance(pane, SourceView):
            return self.heat.python.get(Origin(pane.source.path, index + 1)) if pane.source is not None else None
        if isinstance(pane, GeneratedView):
            return self.heat.generated.get(index + 1)
        if isinstance(pane, TextView) and isinstance(row := pane.items[index], int):
            new = pane.document.rows[row].new
            origin = self._firsts(pane.document).get(new) if new is not None else None
            return self.heat.python.get(origin) if origin is not None else None
        return None

    def _firsts(self, document: Document) -> Mapping[int, Origin]:
        """The first IR line of each Python line: a profile cannot tell the lines apart that stem from one."""
        if self._known[0] is not document:
            seen: dict[Origin, int] = {}
            for line, origins in sorted(document.after.origins.items()):
                if origins and origins[0] in self.heat.python:
                    seen.setdefault(origins[0], line)
            self._known = document, {line: origin for origin, line in seen.items()}
        return self._known[1]


def _style(styles: Styles, hot: Hot) -> Style:
    if hot.share >= _HOT:
        return styles.error
    return styles.changed if hot.share >= _WARM else styles.dim
