"""``nsys stats`` as CSV: launches in time (``cuda_gpu_trace``), or sums by kernel (``cuda_gpu_kern_sum``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from decimal import Decimal

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import whole
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import NONE, Extent, Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "nsys stats CSV"

_TRACE = ("Start", "Duration", "CorrId", "GrdX", "Strm", "Name")
_SUM = ("Total Time", "Instances", "Name")
_NS = {"ns": 1, "us": 1000, "µs": 1000, "usec": 1000, "ms": 10**6, "msec": 10**6, "s": 10**9, "sec": 10**9}
_BYTES = ("B", "bytes")
_DIGITS = 18
"""Whole digits of a time in ns that surely fit in a column."""


def recognise(source: Source) -> bool:
    """A header of one of the two reports, behind what nsys logged before it."""
    lines = source.head.decode("utf-8", "replace").splitlines()
    return any(_is_header(line) for line in lines[:200])


def load(source: Source) -> Profile:
    """Launches with their streams; without a grid a row is a copy. Sizes in MB are rounded to the kilobyte and count
    as unknown (``nsys stats --mem=B`` gives bytes)."""
    build = ProfileBuilder(source.path, NAME)
    with source.open() as stream:
        for where, row, units in _rows(source, io.TextIOWrapper(stream, encoding="utf-8", errors="replace")):
            reader = _Row(source, where, row, units)
            if "Instances" in row:
                _sum(build, reader)
            else:
                _event(build, reader)
    return build.finish("the report has a header and no rows: no kernel was traced")


def _is_header(line: str) -> bool:
    names = {_named(cell)[0] for cell in line.split(",")}
    return names.issuperset(_TRACE) or names.issuperset(_SUM)


def _named(cell: str) -> tuple[str, str]:
    """What stands before and in the parentheses at the end: ``Start (ns)``, ``NVIDIA H200 (0)``; "" for none."""
    text = cell.strip()
    name, opened, inside = text.removesuffix(")").rpartition(" (")
    return (name, inside) if opened and text.endswith(")") and ")" not in inside else (text, "")


def _rows(source: Source, text: io.TextIOWrapper) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Rows below each header, by names of columns without units, and these units. A blank line ends a report."""
    names: list[str] | None = None
    units: dict[str, str] = {}
    table = csv.reader(text)
    while True:
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            raise ProfileError(source.path, str(error), "a row of CSV", f"line {table.line_num}") from error
        if _is_header(",".join(cells)):
            units = dict(map(_named, cells))
            names = [_named(cell)[0] for cell in cells]
        elif not cells:
            names = None
        elif names is not None:
            if len(cells) != len(names):
                raise ProfileError(
                    source.path,
                    f"the row has {len(cells)} cells",
                    f"{len(names)} as in the header",
                    f"line {table.line_num}",
                )
            yield f"line {table.line_num}", dict(zip(names, cells, strict=True)), units


class _Row:
    def __init__(self, source: Source, where: str, row: Mapping[str, str], units: Mapping[str, str]) -> None:
        self._source, self._where, self.row, self._units = source, where, row, units

    def ns(self, column: str) -> int:
        factor = _NS.get(self._units.get(column, ""))
        if factor is None:
            raise self._wrong(f'"{column}" has no unit of time', f"one of {', '.join(_NS)} in the header")
        try:
            time = Decimal(self.row[column].replace(",", "")) * factor
            if time.adjusted() < _DIGITS:
                return int(time)
        except (ArithmeticError, ValueError):
            pass
        raise self._wrong(f'"{self.row[column]:.30}" in "{column}" is no time', "a number")

    def whole(self, column: str) -> int | None:
        cell = self.row.get(column, "").replace(",", "")
        if not cell:
            return None
        try:
            return int(cell)
        except ValueError:
            raise self._wrong(f'"{cell:.30}" in "{column}" is no whole number', "a number") from None

    def size(self, column: str) -> int | None:
        return self.whole(column) if self._units.get(column) in _BYTES else None

    def extent(self, prefix: str) -> Extent | None:
        x, y, z = (self.whole(prefix + axis) for axis in "XYZ")
        return (x, y, z) if x is not None and y is not None and z is not None else None

    def _wrong(self, problem: str, expected: str) -> ProfileError:
        return ProfileError(self._source.path, problem, expected, self._where)


def _event(build: ProfileBuilder, row: _Row) -> None:
    title, digits = _named(row.row.get("Device", ""))
    number = whole(digits)
    title = title if number is not None else row.row.get("Device", "")
    parent = build.lane(("device", title, number), title if number is None else f"GPU {number} {title}", "device")
    stream = row.row["Strm"]
    lane = build.lane(("stream", title, number, stream), f"stream {stream}", "stream", parent, row.whole("Strm"))
    start, duration, grid = row.ns("Start"), row.ns("Duration"), row.extent("Grd")
    if grid is None:
        build.slice(lane, row.row["Name"], start, duration)
        return
    build.launch(
        Launch(
            name=row.row["Name"],
            start_ns=start,
            duration_ns=duration,
            lane=lane,
            device=number,
            grid=grid,
            block=row.extent("Blk"),
            static_shared_bytes=row.size("StcSMem"),
            dynamic_shared_bytes=row.size("DymSMem"),
            registers=row.whole("Reg/Trd"),
            correlation=row.whole("CorrId"),
        )
    )


def _sum(build: ProfileBuilder, row: _Row) -> None:
    count = row.whole("Instances") or 0
    build.launch(Launch(row.row["Name"], duration_ns=row.ns("Total Time"), lane=NONE, count=count))
