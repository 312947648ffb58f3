"""Tables and labelled lines that stay readable in eighty columns."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

GAP = 2
"""Blanks between columns."""


class Fitting:
    """The first of some renderables that fits the width there is, the last one where none does. Where they may be
    ``squeezed``, they fit with their columns as narrow as words allow."""

    def __init__(self, *choices: RenderableType, squeezed: bool = False) -> None:
        self.choices = choices
        self.squeezed = squeezed

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for choice in self.choices[:-1]:
            unbounded = options.update(width=WIDEST)
            least, most = Measurement.get(console, unbounded, choice)
            if (least if self.squeezed else most) <= options.max_width:
                yield choice
                return
        yield self.choices[-1]


WIDEST = 100_000
"""Columns at which nothing has to be wrapped, to learn how wide something wants to be."""


def table(*headers: str, numbers: Iterable[str] = (), wrapped: Iterable[str] = ()) -> Table:
    """A table without lines. Columns named in ``numbers`` are flush right; only those in ``wrapped`` become narrower
    where the terminal is too narrow for all, at blanks."""
    made = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim", show_edge=False)
    for header in headers:
        made.add_column(
            header,
            justify="right" if header in numbers else "left",
            no_wrap=header not in wrapped,
            overflow="fold" if header in wrapped else "ellipsis",
        )
    return made


def labelled(rows: Iterable[tuple[Text | str, ...]], *widths: int) -> Table:
    """Rows of short cells, of at least ``widths`` columns, and a last one that is wrapped under itself."""
    grid = Table.grid(padding=0)
    for width in widths:
        grid.add_column(min_width=width, no_wrap=True)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid
