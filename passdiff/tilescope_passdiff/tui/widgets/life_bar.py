"""The line that tells the life of what is selected: which passes changed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from textual.content import Content
from textual.widgets import Static

from tilescope_passdiff.tui.life import cell_of, sparkline
from tilescope_passdiff.tui.paint import cells, clean, shorten
from tilescope_passdiff.tui.selection import Selection

_LINE, _LEAST = 48, 16
"""Cells of the sparkline at the most, and at the least where something else can be shortened."""
_NAME = 10
"""Cells from which the name of a pass says something."""


class LifeBar(Static):
    """``gemm.py:32  ··█··▃▁  changed by 3 passes, first 7 tl.LayoutInference``."""

    DEFAULT_CSS = "LifeBar { height: 1; padding: 0 1; color: $dim; text-wrap: nowrap; text-overflow: ellipsis; }"

    def show(
        self, selection: Selection, found: Mapping[int, int], labels: list[str], here: int, *, done: bool
    ) -> None:
        """Shows the passes in ``found``, the one ``here`` underlined; ``done`` is whether all were looked at."""
        self.update(life_text(selection, found, labels, here, self.size.width - 2, done=done), layout=False)


def life_text(
    selection: Selection, found: Mapping[int, int], labels: list[str], here: int, width: int, *, done: bool
) -> Content:
    """The line in at most ``width`` cells."""
    if not selection:
        return Content("")
    place = ", ".join(f"{PurePath(one.file).name}:{one.line}" for one in selection.places[:2])
    subject = Content.styled(clean(selection.buffer or place), "bold")
    waiting = "" if done else " …"
    if not found:
        return Content.assemble(subject, f"  changed by no pass{' so far …' if not done else ''}")
    first = min(found)
    several = f"{len(found)} pass{'es' * (len(found) != 1)}"
    told = f"  changed by {several}{waiting}"
    label, rest = clean(labels[first]), width - subject.cell_length - 2 - len(told) - len(", first  (o)")
    if rest - _LEAST >= _NAME:
        told += f", first {shorten(label, rest - _LEAST)} (o)"
    room = min(_LINE, width - subject.cell_length - 2 - cells(told))
    line = sparkline(found, len(labels), room)
    at = cell_of(here, len(labels), room)
    bar = Content.assemble(
        (line[:at], "$accent"), (line[at : at + 1], "$accent underline reverse"), (line[at + 1 :], "$accent")
    )
    return Content.assemble(subject, "  ", bar, told)
