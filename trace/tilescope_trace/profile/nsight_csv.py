"""Rows of the CSV pages of Nsight Compute, which does not double quotes inside cells."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO

from .errors import ProfileError
from .source import Source

_BETWEEN = '","'


def first_row(source: Source) -> list[str]:
    """Cells of the first row in the head of a file, behind what the profiler logged before it; empty for no CSV."""
    for line in source.head.decode("utf-8", "replace").splitlines():
        if line.startswith('"'):
            return split(line)
    return []


def rows(source: Source, stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """Numbered lines that hold rows; a line without a quote at its start continues the row before, or is a log line
    where none is before. Raises ProfileError for a row that is cut off."""
    number, held = 0, ""
    for at, line in enumerate(io.TextIOWrapper(stream, encoding="utf-8", errors="replace"), 1):
        text = line.rstrip("\r\n")
        if text.startswith('"'):
            if held:
                yield number, whole(source, number, held)
            number, held = at, text
        elif held and text and not text.startswith("=="):
            held += "\n" + text
    if held:
        yield number, whole(source, number, held)


def whole(source: Source, number: int, row: str) -> str:
    """The row, where it is not cut off within a cell. Raises ProfileError."""
    if len(row) > 1 and row.endswith(('"', '",')):
        return row
    raise ProfileError(source.path, "the row is cut off", "a row that ends with a quote", f"line {number}")


def split(row: str) -> list[str]:
    """The cells of a row, quotes in them kept."""
    return row.removesuffix(",")[1:-1].split(_BETWEEN)


def cells(row: str, columns: int, text_column: int) -> list[str]:
    """The cells of a row of a table with so many ``columns``: what looks like more of them is text in
    ``text_column``, and the rest is counted from the right. Fewer where the row is short."""
    parts = split(row)
    extra = len(parts) - columns
    if extra <= 0:
        return parts
    end = text_column + extra + 1
    return [*parts[:text_column], _BETWEEN.join(parts[text_column:end]), *parts[end:]]


def number_of(cell: str) -> float | None:
    """The number in a cell with thousands separators; None for none, for N/A and for NaN."""
    try:
        value = float(cell.replace(",", ""))
    except ValueError:
        return None
    return value if value == value else None


def extent_of(cell: str) -> tuple[int, int, int] | None:
    """Grid and block as ``(16, 32, 1)``."""
    try:
        parts = tuple(int(part) for part in cell.strip("()").split(","))
    except ValueError:
        return None
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None
