"""CSV files of Ascend's tools: a header, and rows that are all as long as it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.times import BadTimeError, ns_of_us

from .measured import MISSING, as_number


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its place in the file, for messages."""

    table: Table
    cells: list[str]
    line: int

    def text(self, column: str) -> str | None:
        """The cell, None for a column that is not there and for a cell without a value. Cells that a tool protects
        from spreadsheets end in a tab."""
        index = self.table.index.get(column)
        cell = "" if index is None else self.cells[index].strip()
        return None if cell in MISSING else cell

    def whole(self, column: str) -> int | None:
        """The whole number in a cell. Raises ProfileError for anything else."""
        cell = self.text(column)
        number = None if cell is None else as_number(cell)
        if cell is not None and (number is None or number != int(number) or abs(number) >= 2**63):
            raise self.wrong(column, "a whole number")
        return None if number is None else int(number)

    def ns(self, column: str) -> int | None:
        """A time in ns from a cell in µs. Raises ProfileError for anything else."""
        cell = self.text(column)
        try:
            return None if cell is None else ns_of_us(cell)
        except BadTimeError:
            raise self.wrong(column, "a time in µs") from None

    def wrong(self, column: str, expected: str) -> ProfileError:
        """The error for a cell that is not what it should be."""
        found = self.cells[self.table.index[column]]
        return ProfileError(
            self.table.source.path, f'"{found:.40}" stands in column "{column}"', expected, f"line {self.line}"
        )


class Table:
    """A table being read: its column names without blanks around them, ``index`` for their positions, and its rows.
    ``uneven`` are the lines of rows left out so far, because they have more or fewer cells than there are columns:
    which cell lacks cannot be told. Raises ProfileError for what is no table or cut off."""

    def __init__(self, source: Source, text: Iterable[str]) -> None:
        self.source = source
        self.uneven: list[int] = []
        self._last = ""
        self._reader = csv.reader(self._noted(text))
        try:
            self.headers = tuple(cell.strip() for cell in next(self._reader, []))
        except (csv.Error, UnicodeDecodeError) as error:
            raise ProfileError(source.path, str(error), "a line of column names", "line 1") from error
        self.index = {header: index for index, header in enumerate(self.headers)}

    def __iter__(self) -> Iterator[Row]:
        path, line, width = self.source.path, 1, len(self.headers)
        try:
            for cells in self._reader:
                line = self._reader.line_num
                if len(cells) == width:
                    yield Row(self, cells, line)
                elif cells and not self._last.endswith(("\n", "\r")):
                    problem = f"the file ends within a row of {len(cells)} cells"
                    raise ProfileError(path, problem, f"{width}, one a column", f"line {line}")
                elif cells:
                    self.uneven.append(line)
        except (csv.Error, UnicodeDecodeError) as error:
            raise ProfileError(path, str(error), "a row of CSV text", f"behind line {line}") from error

    def _noted(self, text: Iterable[str]) -> Iterator[str]:
        for line in text:
            self._last = line
            yield line

    def damage(self) -> str | None:
        """What was left out, for a note, once the rows are read."""
        if not self.uneven:
            return None
        lines = ", ".join(map(str, self.uneven[:5])) + (" ..." if len(self.uneven) > 5 else "")
        return f"rows left out, because they do not have {len(self.headers)} cells: line {lines}"


@contextmanager
def opened(source: Source) -> Iterator[Table]:
    """The table in ``source``."""
    with source.open() as stream, io.TextIOWrapper(stream, "utf-8", newline="") as text:
        yield Table(source, text)


def headers_of(source: Source) -> tuple[str, ...]:
    """The column names of a file, told from its first line; empty where that is no line of a table."""
    line = source.head.split(b"\n", 1)[0]
    try:
        return tuple(cell.strip() for cell in next(csv.reader([line.decode().rstrip("\r")]), []))
    except (csv.Error, UnicodeDecodeError):
        return ()
