"""From slices of a row in view to coloured bars, and the ruler over them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.render.timeline import time_text
from tilescope_passdiff.tui.lanes import SHADES, Run, Scale, View, apart, column_of, ruler, with_any
from tilescope_passdiff.tui.paint import cells, clean, filled
from tilescope_passdiff.tui.profiles import Attached
from tilescope_trace.profile.rows import Row
from tilescope_trace.profile.stalls import is_wait

from .styles import Styles

_HUES = ("keyword", "builtin", "string", "number")


@dataclass(frozen=True)
class Inks:
    """What was painted with: ``bars`` by label, and ``mixtures``, what stands for several slices to a column, by how
    busy it is and how much of that is work."""

    bars: dict[str, Style] = field(default_factory=dict)
    mixtures: dict[tuple[int, int], tuple[str, Style]] = field(default_factory=dict)


@dataclass(frozen=True)
class LanePainter:
    """Paints slices of ``attached``: the ``chosen`` one and those ``found`` stand out. ``inks`` are kept from one
    painter to the next, until the colours are others: what a terminal is told is worked out once for each style."""

    styles: Styles
    attached: Attached
    chosen: int | None
    found: frozenset[int]
    inks: Inks
    monochrome: bool

    def row(
        self, row: Row, chosen: int | None, found: Sequence[int], drawn: list[Run], scale: Scale
    ) -> list[Segment]:
        """The runs that are ``drawn`` of a row, with nothing between them. The slice at position ``chosen`` and those
        at ``found`` (ascending) stand out where they share columns with others as well."""
        if chosen is not None:
            drawn = apart(drawn, row, scale, chosen)
        segments: list[Segment] = []
        at = 0
        for run in drawn:
            if run.first > at:
                segments.append(Segment(" " * (run.first - at), self.styles.text))
            if run.one:
                segments.append(self._one(row, run))
            elif found:
                parts = with_any(row, found, scale, run)
                segments += (self._mixed(run, width, found=here) for width, here in parts)
            else:
                segments.append(self._mixed(run, run.end - run.first))
            at = run.end
        return segments

    def _one(self, row: Row, run: Run) -> Segment:
        width, index = run.end - run.first, row.slices[run.slice]
        label = self.attached.label(index)
        bar = self._style(index, label)
        if width < 4:
            # The edge tells neighbours of one colour apart.
            return Segment(("▏" + " " * (width - 1)) if width > 1 else " ", bar)
        return Segment("▏" + filled(clean(label), width - 1), bar)

    def _mixed(self, run: Run, width: int, *, found: bool = False) -> Segment:
        """Several slices to a column: how busy it is; where it is all the time, how much of that is work."""
        known = self.inks.mixtures.get((run.shade, run.works))
        if known is None:
            known = self.inks.mixtures[run.shade, run.works] = self._mixture(run)
        sign, style = known
        return Segment(sign * width, self.styles.current_match if found else style)

    def _mixture(self, run: Run) -> tuple[str, Style]:
        styles = self.styles
        work = styles.syntax["builtin"].color
        wait, back = styles.deleted.color, styles.text.bgcolor
        if run.shade < 3:
            return SHADES[run.shade], Style(color=work if run.works >= 2 else wait, bgcolor=back)
        if self.monochrome:
            return "·░▒▓█"[run.works], styles.text
        return " ░▒▓█"[run.works], Style(color=work, bgcolor=wait)

    def _style(self, index: int, label: str) -> Style:
        """A bar's colours: waits are alike, everything else by its name."""
        styles = self.styles
        back = styles.text.bgcolor
        if index == self.chosen and self.monochrome:
            return Style(bold=True, underline=True)
        if index == self.chosen:
            return Style(color=back, bgcolor=styles.text.color, bold=True)
        if index in self.found:
            return styles.current_match
        known = self.inks.bars.get(label)
        if known is None:
            known = self.inks.bars[label] = self._bar(label)
        return known

    def _bar(self, label: str) -> Style:
        styles = self.styles
        back = styles.text.bgcolor
        if self.monochrome:
            return Style(reverse=not is_wait(label), dim=is_wait(label))
        if is_wait(label):
            return Style(color=back, bgcolor=styles.deleted.color)
        hue = styles.syntax[_HUES[zlib.crc32(label.encode()) % len(_HUES)]]  # type: ignore[index]
        return Style(color=back, bgcolor=hue.color)


def ruler_segments(
    styles: Styles, view: View, marked: View | None, left: int, columns: int, focused: bool
) -> tuple[list[Segment], Style]:
    """The ruler over ``columns`` cells of time, behind ``left`` cells that tell how long they are, with what is
    ``marked``; and the style to its right."""
    rule = "━" if focused else "─"
    signs = [rule] * columns
    for column, text in ruler(view, columns):
        for offset, sign in enumerate(f"┬{text} "):
            if 0 <= column + offset < columns:
                signs[column + offset] = sign
    span = f"{time_text(view.length)} in view"
    head = set_cell_size(f"{rule} {span} ", left) if cells(span) + 3 <= left else rule * left
    style = styles.pointer if focused else styles.heading
    segments = [Segment(head, style)]
    first, end = columns, columns
    if marked is not None:
        first = max(0, min(columns, column_of(marked.start, view, columns)))
        end = max(first, min(columns, column_of(marked.end, view, columns) + 1))
    for part, ink in ((signs[:first], style), (signs[first:end], styles.current_match), (signs[end:], style)):
        if part:
            segments.append(Segment("".join(part), ink))
    return segments, style
