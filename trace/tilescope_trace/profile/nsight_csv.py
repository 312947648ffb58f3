"""Rows of the CSV pages of Nsight Compute, which does not double quotes inside cells."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import IO

from .errors import ProfileError
from .source import Source

_BETWEEN = '","'


def first_row(source: Source) -> list[str]:
    """Cells of the first row in the head of a file, behind what the profiler logged before it; empty for no CSV."""
    for line in _lines(io.BytesIO(source.head)):
        if line.startswith('"'):
            return split(line.rstrip("\n"))
    return []


def header(source: Source, table: Iterator[tuple[int, str]], needed: Sequence[str]) -> list[str]:
    """The cells of the first row of a table. Raises ProfileError where a needed one is missing."""
    number, row = next(table)
    names = split(row)
    missing = [name for name in needed if name not in names]
    if missing:
        raise ProfileError(source.path, f'there is no column "{missing[0]}"', "a whole header", f"line {number}")
    return names


def rows(source: Source, stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """Numbered lines that hold rows; a line without a quote at its start continues the row before, or is a log line
    where none is before. Raises ProfileError for a row that is cut off."""
    number, held = 0, ""
    for at, line in enumerate(_lines(stream), 1):
        text = line.rstrip("\n")
        if text.startswith('"'):
            if held:
                yield number, whole(source, number, held)
            number, held = at, text
        elif held and text and not text.startswith("=="):
            held += "\n" + text
    if held:
        yield number, whole(source, number, held)


def _lines(stream: IO[bytes]) -> Iterator[str]:
    yield from io.TextIOWrapper(stream, encoding="utf-8", errors="replace")


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
    """The number in a cell with thousands separators; None for none, for N/A, NaN and what is not finite."""
    try:
        value = float(cell.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def extent_of(cell: str) -> tuple[int, int, int] | None:
    """Grid and block as ``(16, 32, 1)``."""
    try:
        parts = tuple(int(part) for part in cell.strip("()").split(","))
    except ValueError:
        return None
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None
