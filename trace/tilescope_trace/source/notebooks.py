"""The code cells of a notebook as one Python text, and from its lines back to cells.

Cells run in one interpreter, so a kernel may use whatever earlier cells define. They are joined in the order in which
they stand; what only IPython understands (magics, shell lines, questions for help) gives way to Python that does
nothing, line by line, so that every other statement keeps its line and its columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_trace.parsing import parse
from tilescope_trace.text_lines import lines_of

from .logical_lines import logical_line

_SPECIAL = re.compile(r"\s*(?:[%!?]|(?P<names>[\w.,\s]+?)\s*=\s*(?:%\w|!)|[\w.]+\?{1,2}\s*$)")
_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w+)")
_RUN_AS_PYTHON = frozenset({"time", "timeit", "capture", "prun"})
"""Magics of a whole cell whose body IPython runs as Python in the notebook's own interpreter."""


@dataclass(frozen=True)
class Joined:
    """``text`` is Python; ``starts`` are the lines at which the cells begin there, ``counts`` how many each has (1 at
    least). Lines are 1-based, cells are numbered from 0."""

    text: str
    starts: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()

    def place(self, line: int) -> tuple[int, int]:
        """The cell that holds a line of the text, and the line there; lines beyond the text belong to the nearest
        cell."""
        cell = max(bisect_right(self.starts, line) - 1, 0)
        return cell, line - self.starts[cell] + 1


def join(cells: Sequence[str]) -> Joined:
    """The texts of code cells, in order, as one."""
    starts: list[int] = []
    counts: list[int] = []
    lines: list[str] = []
    for cell in cells:
        found = python_lines(cell)
        starts.append(len(lines) + 1)
        counts.append(len(found))
        lines.extend(found)
    return Joined("\n".join(lines), tuple(starts), tuple(counts))


def python_lines(cell: str) -> list[str]:
    """The lines of a cell, those that are not Python replaced."""
    lines = list(lines_of(cell))
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if (magic := _CELL_MAGIC.match(lines[first])) is not None:
        if magic["name"] not in _RUN_AS_PYTHON:
            return [""] * len(lines)
        lines[first] = ""
    if not _is_python(lines):
        for start, end in list(_special(lines)):
            lines[start:end] = [_replacement(lines[start]), *[""] * (end - start - 1)]
    return lines


def _is_python(lines: Sequence[str]) -> bool:
    """Where Python can read a cell, a line that begins with ``%`` goes on with an expression."""
    try:
        parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _special(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The statements that only IPython understands: first line and end, 0-based."""
    number = 0
    while number < len(lines):
        text = lines[number].strip()
        if not text or text.startswith("#"):
            number += 1
        elif _SPECIAL.match(lines[number]) is not None:
            start = number
            while number < len(lines) - 1 and lines[number].rstrip().endswith("\\"):
                number += 1
            number += 1
            yield start, number
        else:
            number = logical_line(lines, number, len(lines)).end


def _replacement(line: str) -> str:
    """What stands for the statement that begins with a line: the names that it binds have to be bound, and the only
    statement of a block must remain one."""
    indent = line[: len(line) - len(line.lstrip())]
    names = match["names"] if (match := _SPECIAL.match(line)) is not None else None
    if names is not None and "," not in names:
        return f"{indent}{names.strip()} = None"
    return f"{indent}pass" if indent else ""
