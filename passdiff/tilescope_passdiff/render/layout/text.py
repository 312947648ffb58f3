"""The picture of a layout for a terminal: Unicode, coloured where there is colour."""

from __future__ import annotations

import colorsys

from rich.text import Text

from tilescope_passdiff.render.terminal.controls import visible
from tilescope_trace.layouts.cells import Grid

from .units import Unit, explained, heading, shown_part, units_of

_GAP = 1


def layout_text(grid: Grid, width: int = 80) -> Text:
    """The picture in at most ``width`` columns; what does not fit is left out at the right, and said."""
    rows = units_of(grid)
    cell = max((-(-(len(unit.label) + _GAP) // unit.width) for row in rows for unit in row), default=2)
    margin = len(str(grid.row + len(rows) - 1)) + 3
    fitting = max(1, (width - margin) // cell)
    shown = Text(visible(heading(grid)), "bold", no_wrap=True, overflow="ignore")
    shown.append(f"\n{explained(grid)}", "dim")
    part = _part(grid, fitting)
    if part:
        shown.append(f"; {part}", "dim")
    shown.append("\n" + _header(grid, rows[0], margin, cell, fitting), "dim")
    for number, row in enumerate(rows):
        shown.append(f"\n{grid.row + number:>{margin - 3}} │ ", "dim")
        for unit in row:
            if unit.at >= fitting:
                break
            columns = min(unit.width, fitting - unit.at) * cell
            shown.append(unit.label.rjust(columns - 1)[: columns - 1] + " ", _style(unit))
    return shown


def _part(grid: Grid, fitting: int) -> str:
    """The part that is shown once the picture is cut to ``fitting`` columns of cells."""
    if fitting >= len(grid.cells[0]):
        return shown_part(grid)
    cut = Grid(
        grid.buffer,
        grid.leading,
        grid.row,
        grid.column,
        grid.rows,
        grid.columns,
        grid.bits,
        grid.banked,
        tuple(row[:fitting] for row in grid.cells),
    )
    return shown_part(cut)


def _header(grid: Grid, row: tuple[Unit, ...], margin: int, cell: int, fitting: int) -> str:
    """Column numbers above the units of the first row, as many as have room."""
    line = " " * margin
    for unit in row:
        if unit.at >= fitting:
            break
        number = str(grid.column + unit.at)
        end = margin + (unit.at + min(unit.width, fitting - unit.at)) * cell - 1
        if end - len(number) >= len(line):
            line = line.ljust(end - len(number)) + number
    return line


def _style(unit: Unit) -> str:
    lightness = 0.78 if unit.shade % 2 == 0 else 0.66
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(unit.hue, lightness, 0.6))
    return f"black on #{red:02x}{green:02x}{blue:02x}"
