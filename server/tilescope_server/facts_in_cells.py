"""The facts of a notebook as those of its cells."""

from __future__ import annotations

from dataclasses import replace

from tilescope_trace.model import FileFacts, Snapshot
from tilescope_trace.notebook_files import Cells, cell_name

from .analysis import Analysis
from .cells import CellView, seen_from


def facts_in_cells(facts: FileFacts, cells: Cells) -> list[FileFacts]:
    """The facts of each cell in which a kernel begins or that has a finding of its own, under the cell's name and at
    its lines. Places in other cells are named by them where a fact can say so, and left out where it cannot."""

    def elsewhere(line: int) -> tuple[str, int]:
        number, there = cells.place(line)
        return cell_name(facts.file, number), there

    found = []
    parts = zip(cells.numbers, cells.texts, cells.joined.starts, cells.joined.counts, strict=True)
    for number, text, start, count in parts:
        view = CellView(facts.file, Snapshot(cell_name(facts.file, number), text), start, count, elsewhere)
        here = [kernel for kernel in facts.kernels if view.line(kernel.line) is not None]
        seen = seen_from(view, Analysis(Snapshot(facts.file, ""), replace(facts, kernels=tuple(here)))).facts
        if seen is not None and (seen.kernels or seen.findings):
            found.append(seen)
    return found
