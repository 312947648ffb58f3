"""The picture of a layout as SVG: a rectangle for each unit, with all that is known of it as its title."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from tilescope_passdiff.render.terminal.controls import visible
from tilescope_trace.layouts.cells import Grid

from .units import Unit, explained, heading, shown_part, units_of

_ROW = 18
_TOP = 58
_LEFT = 44
_CHARACTER = 7
_STYLE = """\
text{font:11px ui-monospace,monospace;fill:#24292f}
.head{font-weight:600}.dim{fill:#57606a}
rect{stroke:#fff;stroke-width:1}
@media(prefers-color-scheme:dark){.head{fill:#e6edf3}.dim{fill:#9198a1}rect{stroke:#0d1117}}"""


def layout_svg(grid: Grid) -> str:
    """The picture as an SVG document that follows the reader's light or dark scheme."""
    rows = units_of(grid)
    cell = max((-(-(len(unit.label) * _CHARACTER + 6) // unit.width) for row in rows for unit in row), default=20)
    cell = max(cell, 6)
    title = visible(heading(grid))
    part = shown_part(grid)
    below = explained(grid) + (f"; {part}" if part else "")
    width = max(_LEFT + cell * len(grid.cells[0]) + 8, max(len(title), len(below)) * _CHARACTER + 16)
    height = _TOP + _ROW * len(rows) + 8
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label="{_quoted(title)}">',
        f"<style>{_STYLE}</style>",
        f'<text class="head" x="8" y="16">{escape(title)}</text>',
        f'<text class="dim" x="8" y="32">{escape(below)}</text>',
        *_numbers(grid, rows[0], cell),
    ]
    for number, row in enumerate(rows):
        top = _TOP + number * _ROW
        lines.append(f'<text class="dim" x="{_LEFT - 6}" y="{top + 13}" text-anchor="end">{grid.row + number}</text>')
        lines += [_rectangle(unit, top, cell) for unit in row]
    return "\n".join([*lines, "</svg>\n"])


def _numbers(grid: Grid, row: tuple[Unit, ...], cell: int) -> Iterator[str]:
    free = 0
    for unit in row:
        number = str(grid.column + unit.at)
        left = _LEFT + unit.at * cell
        if left >= free:
            middle = left + unit.width * cell // 2
            yield f'<text class="dim" x="{middle}" y="{_TOP - 6}" text-anchor="middle">{number}</text>'
            free = left + len(number) * _CHARACTER + 4


def _rectangle(unit: Unit, top: int, cell: int) -> str:
    left, width = _LEFT + unit.at * cell, unit.width * cell
    lightness = 82 if unit.shade % 2 == 0 else 70
    return (
        f'<g><title>{escape(unit.title)}</title><rect x="{left}" y="{top}" width="{width}" height="{_ROW}"'
        f' fill="hsl({round(unit.hue * 360)},60%,{lightness}%)"/>'
        f'<text x="{left + width // 2}" y="{top + 13}" text-anchor="middle">{escape(unit.label)}</text></g>'
    )


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})
