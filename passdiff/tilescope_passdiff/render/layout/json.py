"""The cells of a layout as JSON."""

from __future__ import annotations

from typing import Any

from tilescope_trace.layouts.cells import Cell, Grid
from tilescope_trace.model import Buffer
from tilescope_trace.model.public import document, to_public

LAYOUT: dict[str, Any] = {
    "buffer": Buffer,
    "leading": list[int],
    "row": int,
    "column": int,
    "rows": int,
    "columns": int,
    "cells": list[list[dict[str, Any]]],
}
"""Keys of the document ``layout`` with their types; ``cells`` are those shown, row by row."""


def layout_json(grid: Grid) -> dict[str, Any]:
    """The document ``layout``: for each shown element its threads and register, or its address in bytes and bank."""
    return document(
        "layout",
        {
            "buffer": to_public(grid.buffer),
            "leading": list(grid.leading),
            "row": grid.row,
            "column": grid.column,
            "rows": grid.rows,
            "columns": grid.columns,
            "cells": [[_cell(grid, cell) for cell in row] for row in grid.cells],
        },
    )


def _cell(grid: Grid, cell: Cell) -> dict[str, Any]:
    if grid.in_registers:
        return {"threads": list(cell.threads), "register": grid.register(cell)}
    known = {"address": grid.address(cell)}
    return known | ({"bank": grid.bank(cell)} if grid.banked else {})
