"""What is told of a pass below its text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from tilescope_passdiff.tui.paint import wrapped

_MOST, _MOST_HIGH = 4, 8
"""Lines that it takes at most, and on a high terminal."""
_HIGH = 50
"""Rows of a high terminal."""
_PADDING = 2


class Remarks(Static):
    """Plain lines, folded; where there are more than fit, the last one in view ends with ``…``."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: tuple[str, ...] = ()
        self._width = 0

    def take(self, lines: Sequence[str]) -> None:
        """Shows ``lines``."""
        self._lines = tuple(lines)
        if lines or self.has_class("-shown"):
            self.set_class(bool(lines), "-shown")
            self._fit()

    def clear(self) -> None:
        """Takes the lines away and keeps their room."""
        self._lines = ()
        self.update(Content(""), layout=False)

    def on_resize(self) -> None:
        if self._room() != self._width:
            self._fit()

    def _room(self) -> int:
        return self.container_size.width - _PADDING

    def _fit(self) -> None:
        self._width = self._room()
        # In few rows the style sheet cuts each line where the pane ends.
        short = self.screen.has_class("-short")
        most = _MOST if self.screen.size.height < _HIGH else _MOST_HIGH
        self.update(Content("\n".join(self._lines if short else wrapped(self._lines, self._width, most))))
