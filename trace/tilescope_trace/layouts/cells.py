"""The cells of a buffer's layout: for each element its threads and register, or its address and bank."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Buffer, LayoutMap

from .formulas import BadFormulaError, compiled

BANKS = 32
BANK_BYTES = 4
"""Shared memory of NVIDIA GPUs since compute capability 5.0 (CUDA C++ programming guide, shared memory)."""

_AXES = ("i", "j", "k", "l", "m", "n")


@dataclass(frozen=True)
class Cell:
    """One element. ``threads`` hold it (several where it is replicated, none in memory); ``place`` counts elements
    from the start of the buffer's memory, or among those of one thread."""

    threads: tuple[int, ...]
    place: int


@dataclass(frozen=True)
class Grid:
    """Cells of the last two dimensions of a buffer, at ``leading`` indices of those before them; ``row`` and
    ``column`` are the indices of the first cell, ``rows`` x ``columns`` the whole extent of the two dimensions.
    ``banked`` is whether they lie in shared memory with banks as GPUs of NVIDIA and AMD have them."""

    buffer: Buffer
    leading: tuple[int, ...]
    row: int
    column: int
    rows: int
    columns: int
    bits: int
    banked: bool
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def in_registers(self) -> bool:
        """Whether threads hold the elements, rather than memory."""
        return self.buffer.layout is not None and self.buffer.layout.kind == "fragment"

    def address(self, cell: Cell) -> int:
        """Bytes from the start of the buffer (of its first stage)."""
        return cell.place * self.bits // 8

    def bank(self, cell: Cell) -> int:
        """Bank of shared memory that the first byte of the cell lies in."""
        return self.address(cell) // BANK_BYTES % BANKS

    def register(self, cell: Cell) -> int:
        """Which of a thread's 32-bit registers for this fragment holds the cell."""
        return cell.place * self.bits // 32


def grid_of(
    buffer: Buffer,
    target: str,
    rows: slice = slice(0, 64),
    columns: slice = slice(0, 64),
    leading: Sequence[int] = (),
) -> Grid:
    """The cells in ``rows`` and ``columns`` (of the last two dimensions; a vector is one row); ``leading`` indices
    choose among the dimensions before them, the first of each where left out.

    Raises UsageError for a buffer without a known layout and for places outside it.
    """
    where = _map_of(buffer)
    extents = where.inputs if len(where.inputs) > 1 else (1, *where.inputs)
    first, (height, width) = extents[:-2], extents[-2:]
    chosen = (*leading, *(0 for _ in first))[: len(first)]
    if len(leading) > len(first) or any(not 0 <= at < size for at, size in zip(chosen, first, strict=True)):
        raise UsageError(f"{buffer.name} has no element at {list(leading)}: its leading extents are {list(first)}")
    shown_rows, shown_columns = range(height)[rows], range(width)[columns]
    if not shown_rows or not shown_columns:
        raise UsageError(f"{buffer.name} is {height} × {width}: there are no cells in the given rows and columns")
    cells = _Cells(buffer, where)
    return Grid(
        buffer=buffer,
        leading=tuple(chosen),
        row=shown_rows[0],
        column=shown_columns[0],
        rows=height,
        columns=width,
        bits=bits_of(buffer.dtype),
        banked=_is_banked(buffer, target),
        cells=tuple(tuple(cells.at((*chosen, row, column)) for column in shown_columns) for row in shown_rows),
    )


class _Cells:
    def __init__(self, buffer: Buffer, where: LayoutMap) -> None:
        names = _AXES[: len(where.inputs)]
        strides = [math.prod(where.outputs[at + 1 :]) for at in range(len(where.outputs))]
        self._dimensions = len(where.inputs)
        self._strides = strides
        self._copies = range(where.replicate)
        try:
            self._index = compiled(where.index, names)
            self._thread = compiled((where.thread,), (*names, "rep")) if where.thread is not None else None
        except BadFormulaError as error:
            raise UsageError(f"the layout of {buffer.name} is damaged: {error}") from error

    def at(self, indices: tuple[int, ...]) -> Cell:
        own = indices[-self._dimensions :]
        try:
            place = sum(index * stride for index, stride in zip(self._index(*own), self._strides, strict=True))
            holders = (self._thread(*own, copy)[0] for copy in self._copies) if self._thread is not None else ()
            return Cell(tuple(dict.fromkeys(holders)), place)
        except (ArithmeticError, ValueError, TypeError) as error:
            raise UsageError(f"the layout of this buffer is damaged: {error}") from error


def _map_of(buffer: Buffer) -> LayoutMap:
    layout = buffer.layout
    if layout is None:
        raise UsageError(f"no layout of {buffer.name} is known ({buffer.scope})")
    if layout.map is not None:
        return layout.map
    sizes = [size for size in buffer.shape if isinstance(size, int)]
    if layout.kind == "shared" and layout.swizzle == "none" and len(sizes) == len(buffer.shape) <= len(_AXES):
        return LayoutMap(tuple(sizes), tuple(sizes), _AXES[: len(sizes)])
    raise UsageError(f"the layout of {buffer.name} is no index formula: {layout.summary}")


def _is_banked(buffer: Buffer, target: str) -> bool:
    shared = buffer.layout is not None and buffer.layout.kind == "shared"
    return shared and target.partition(":")[0] in ("cuda", "hip")


def bits_of(dtype: str | None) -> int:
    """Bits of one element of a data type by its name; 32 where the name has no number (only ``bool`` has none)."""
    if dtype == "bool":
        return 8
    found = re.search(r"(\d+)", dtype or "")
    return int(found[1]) if found else 32
