"""The cells of a layout's grid, joined along a row where they belong together, with what a picture says of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.layouts.cells import BANK_BYTES, BANKS, Cell, Grid

UNIT_BYTES = 16
"""What one vector access moves at most, and the unit that shared memory swizzles exchange."""
WARP_THREADS = 32
FRACTAL_ROW_BYTES = 32
FRACTAL_BYTES = 512
"""Ascend's cube works on fractals of 16 rows of 32 bytes (CANN, Ascend C programming guide, data layouts)."""
_APART = 0.618
"""Hues of neighbouring fractals, this part of the circle from each other, are never alike."""


@dataclass(frozen=True)
class Unit:
    """``width`` neighbouring cells of one row, from grid column ``at`` (0-based, within the shown part). ``label`` is
    a thread, or the first of the banks; ``hue`` (0 to 1) tells lanes or banks apart, ``shade`` (0, 1 ...) warps or
    rows of banks; ``title`` says all."""

    at: int
    width: int
    label: str
    hue: float
    shade: int
    title: str


def units_of(grid: Grid) -> tuple[tuple[Unit, ...], ...]:
    """The units of each shown row."""
    return tuple(tuple(_units(grid, number, cells)) for number, cells in enumerate(grid.cells))


def explained(grid: Grid) -> str:
    """What the labels of the units are, in words."""
    if grid.in_registers:
        return "the thread that holds each element"
    if grid.banked:
        return f"the first bank of each {UNIT_BYTES} bytes (32 banks of {BANK_BYTES} bytes)"
    return f"the place in memory of each {FRACTAL_ROW_BYTES} bytes, in elements"


def heading(grid: Grid) -> str:
    """The buffer, its layout, and the part that is shown."""
    buffer = grid.buffer
    summary = buffer.layout.summary if buffer.layout else "no layout"
    shape = ", ".join(map(str, buffer.shape))
    return f"{buffer.name} [{shape}] {buffer.dtype} {buffer.scope}: {summary}"


def shown_part(grid: Grid) -> str:
    """Which rows and columns of how many are shown; empty when all are."""
    height, width = len(grid.cells), len(grid.cells[0])
    parts = []
    if grid.leading:
        parts.append(f"at index {', '.join(map(str, grid.leading))} of the leading extents")
    if height < grid.rows:
        parts.append(f"rows {grid.row}–{grid.row + height - 1} of {grid.rows}")
    if width < grid.columns:
        parts.append(f"columns {grid.column}–{grid.column + width - 1} of {grid.columns}")
    return ", ".join(parts)


def _units(grid: Grid, number: int, cells: tuple[Cell, ...]) -> Iterator[Unit]:
    start = 0
    for end in range(1, len(cells) + 1):
        if end < len(cells) and _together(grid, cells, start, end):
            continue
        yield _unit(grid, number, start, cells[start:end])
        start = end


def _together(grid: Grid, cells: tuple[Cell, ...], start: int, end: int) -> bool:
    first, last, cell = cells[start], cells[end - 1], cells[end]
    if grid.in_registers:
        return cell.threads == first.threads
    unit = UNIT_BYTES if grid.banked else FRACTAL_ROW_BYTES
    return cell.place == last.place + 1 and grid.address(cell) // unit == grid.address(first) // unit


def _unit(grid: Grid, number: int, start: int, cells: tuple[Cell, ...]) -> Unit:
    row, column = grid.row + number, grid.column + start
    where = f"[{row}, {column}]" if len(cells) == 1 else f"[{row}, {column}–{column + len(cells) - 1}]"
    first = cells[0]
    if grid.in_registers:
        thread = first.threads[0]
        more = f"+{len(first.threads) - 1}" if len(first.threads) > 1 else ""
        return Unit(
            start,
            len(cells),
            f"{thread}{more}",
            thread % WARP_THREADS / WARP_THREADS,
            thread // WARP_THREADS,
            f"{where} {_threads(first.threads)}, {_registers(grid, cells)}",
        )
    address = grid.address(first)
    if not grid.banked:
        hue = address // FRACTAL_BYTES * _APART % 1
        shade = address // FRACTAL_ROW_BYTES % 2
        return Unit(start, len(cells), str(first.place), hue, shade, f"{where} from element {first.place}")
    bank = grid.bank(first)
    last = (address + len(cells) * grid.bits // 8 - 1) // BANK_BYTES % BANKS
    banks = f"bank {bank}" if last == bank else f"banks {bank}–{last}"
    return Unit(
        start,
        len(cells),
        str(bank),
        bank / BANKS,
        address // (BANKS * BANK_BYTES) % 2,
        f"{where} address {address}, {banks}",
    )


def _threads(threads: tuple[int, ...]) -> str:
    if len(threads) == 1:
        return f"thread {threads[0]}"
    shown = ", ".join(map(str, threads[:8]))
    return f"threads {shown}{' …' if len(threads) > 8 else ''} ({len(threads)} copies)"


def _registers(grid: Grid, cells: tuple[Cell, ...]) -> str:
    registers = tuple(dict.fromkeys(grid.register(cell) for cell in cells))
    if len(registers) == 1:
        return f"register {registers[0]}"
    return f"registers {', '.join(map(str, registers))}"
