"""Findings about the one text of a notebook's cells, at the cells that they are about."""

from __future__ import annotations

import re
from dataclasses import replace

from .model import Finding, Place
from .notebook_files import Cells, cell_name

_LINE_SAID = re.compile(r"\bline (\d+)\b(?! of )")


def in_cells(finding: Finding, cells: Cells, file: str) -> Finding:
    """A finding at its cell and the line there; ``file`` is the name that it has for the notebook. Its fixes are left
    out: nothing here writes notebooks."""
    if finding.file != file:
        return replace(finding, related=_related(finding, cells, file))
    number, line = cells.place(finding.line)
    last, end_line = cells.place(finding.end_line)
    within = last == number
    return replace(
        finding,
        message=_words(finding.message, cells, number),
        help=None if finding.help is None else _words(finding.help, cells, number),
        file=cell_name(file, number),
        line=line,
        end_line=end_line if within else line,
        end_column=finding.end_column if within else finding.column + 1,
        related=_related(finding, cells, file),
        fixes=(),
    )


def texts_of(cells: Cells, file: str) -> dict[str, str]:
    """What the cells hold, by their names."""
    return {cell_name(file, number): text for number, text in zip(cells.numbers, cells.texts, strict=True)}


def _words(text: str, cells: Cells, number: int) -> str:
    """A sentence about lines of the whole text as one about those of cells."""

    def said(found: re.Match[str]) -> str:
        other, line = cells.place(int(found[1]))
        return f"line {line}" if other == number else f"line {line} of cell {other}"

    return _LINE_SAID.sub(said, text)


def _related(finding: Finding, cells: Cells, file: str) -> tuple[Place, ...]:
    return tuple(_place(one, cells, file) for one in finding.related)


def _place(place: Place, cells: Cells, file: str) -> Place:
    if place.file != file:
        return place
    number, line = cells.place(place.line)
    return replace(place, file=cell_name(file, number), line=line)
