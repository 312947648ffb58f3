"""Which kernels lower for which targets, and why not; which lower to what the target cannot run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .model import Cell

OK, FAILED, UNKNOWN, NOTHING = "yes", "no", "?", ""
"""What a table says of a kernel and target: lowers with all specializations without an error, lowers with none,
not tried, not asked."""


@dataclass(frozen=True)
class Row:
    """One kernel: ``cells`` by target."""

    file: str
    kernel: str
    line: int
    cells: dict[str, tuple[Cell, ...]]


def rows(cells: Iterable[Cell]) -> tuple[Row, ...]:
    """A row a kernel, in the order of files and lines."""
    found: dict[tuple[str, int, str], dict[str, list[Cell]]] = {}
    for cell in cells:
        found.setdefault((cell.file, cell.line, cell.kernel), {}).setdefault(cell.target, []).append(cell)
    return tuple(
        Row(file, kernel, line, {target: tuple(own) for target, own in by_target.items()})
        for (file, line, kernel), by_target in sorted(found.items())
    )


def targets(cells: Iterable[Cell]) -> tuple[str, ...]:
    """All targets of a table, sorted."""
    return tuple(sorted({cell.target for cell in cells}))


def said(cells: Sequence[Cell]) -> str:
    """What the table says of a kernel's specializations for one target: ``yes``, ``no``, ``2 of 3``, ``?``;
    ``lowers, TS201`` where all lower and an error is found all the same."""
    good = sum(_good(cell) for cell in cells)
    bad = sum(cell.status == "failed" for cell in cells)
    if not cells:
        return NOTHING
    if good == len(cells):
        return OK
    if all(_lowers(cell) for cell in cells):
        codes = dict.fromkeys(error.split(" ", 1)[0] for cell in cells for error in cell.errors)
        return f"lowers, {' '.join(sorted(codes))}"
    if bad == len(cells):
        return FAILED
    return f"{good} of {len(cells)}" if good or bad else UNKNOWN


def reasons(table: Iterable[Row]) -> tuple[str, ...]:
    """Why not, a line each: ``kernels/gemm.py matmul.main for hip:gfx942: TS102 line 8: ...``."""
    lines = (
        f"{row.file}:{row.line} {row.kernel} for {target}{_with(cell, cells)}: {' '.join(why.split())}"
        for row in table
        for target, cells in sorted(row.cells.items())
        for cell in cells
        for why in _why(cell)
    )
    return tuple(dict.fromkeys(lines))


def text(cells: Sequence[Cell]) -> str:
    """The table for a terminal."""
    table, columns = rows(cells), targets(cells)
    head = ["kernel", *columns]
    body = [
        [f"{row.file}:{row.line} {row.kernel}", *(said(row.cells.get(one, ())) for one in columns)] for row in table
    ]
    widths = [max(len(line[number]) for line in [head, *body]) for number in range(len(head))]
    lines = [
        "  ".join(f"{item:<{width}}" for item, width in zip(line, widths, strict=True)) for line in [head, *body]
    ]
    why = reasons(table)
    return "".join(f"{line.rstrip()}\n" for line in [*lines, *(["", *why] if why else [])])


def markdown(cells: Sequence[Cell]) -> str:
    """The table for a pull request."""
    table, columns = rows(cells), targets(cells)
    lines = [
        "| kernel | " + " | ".join(columns) + " |",
        "|---" * (len(columns) + 1) + "|",
        *(
            f"| `{row.file}:{row.line}` `{row.kernel}` | "
            + " | ".join(said(row.cells.get(one, ())) for one in columns)
            + " |"
            for row in table
        ),
    ]
    why = ["- " + re.sub(r"([\\`*_<>|~])", r"\\\1", one) for one in reasons(table)]
    if why:
        lines += ["", f"<details><summary>Why not ({len(why)})</summary>", "", *why, "", "</details>"]
    return "\n".join(lines) + "\n"


def _lowers(cell: Cell) -> bool:
    return cell.status == "ok"


def _good(cell: Cell) -> bool:
    return _lowers(cell) and not cell.errors


def _why(cell: Cell) -> tuple[str, ...]:
    if _lowers(cell):
        return cell.errors
    if cell.reason:
        return (cell.reason,)
    return ("not compiled" if cell.stage == "static" else f"the compiler got as far as stage {cell.stage}",)


def _with(cell: Cell, cells: Sequence[Cell]) -> str:
    """The arguments, where the kernel has several specializations."""
    return f" with {cell.arguments}" if len(cells) > 1 and cell.arguments else ""
