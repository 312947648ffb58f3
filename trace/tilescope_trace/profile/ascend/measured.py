"""Metrics of a row of a wide table, kept small: op_summary may have half a million rows of 40 columns."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilescope_trace.profile.model import Metric

from .counters import split_unit

MISSING = frozenset(("", "N/A", "NA", "nan"))
"""What cells hold that have no value."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table that are metrics: their names without and their units."""

    names: tuple[str, ...]
    units: tuple[str, ...]

    @staticmethod
    def of(headers: Sequence[str]) -> Columns:
        """Columns as their headers spell them, unit in parentheses."""
        split = [split_unit(header) for header in headers]
        names = tuple(name or header for (name, _), header in zip(split, headers, strict=True))
        return Columns(names, tuple(unit for _, unit in split))


class Measured(Mapping[str, Metric]):
    """The metrics of one row; cells without a value are not among them."""

    __slots__ = ("_columns", "_numbers", "_texts")

    def __init__(self, columns: Columns, cells: Sequence[str | float | None]) -> None:
        self._columns, self._numbers = columns, array("d")
        self._texts: dict[int, str] = {}
        for index, cell in enumerate(cells):
            number = None if cell is None else as_number(cell)
            if number is None and isinstance(cell, str) and cell.strip() not in MISSING:
                self._texts[index] = cell.strip().strip('"')
            self._numbers.append(math.nan if number is None else number)

    def __getitem__(self, name: str) -> Metric:
        try:
            index = self._columns.names.index(name)
        except ValueError:
            raise KeyError(name) from None
        value = self._value(index)
        if value is None:
            raise KeyError(name)
        return Metric(value, self._columns.units[index])

    def __iter__(self) -> Iterator[str]:
        return (name for index, name in enumerate(self._columns.names) if self._value(index) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _value(self, index: int) -> float | str | None:
        number = self._numbers[index]
        return self._texts.get(index) if math.isnan(number) else number


def as_number(cell: str | float) -> float | None:
    """The number in a cell, None where it is none or not finite."""
    try:
        number = float(cell)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
