"""TS307: the grid does not cover what the kernel writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Coverage, Fix

from .wording import block_names, given_values, span

RULE = Rule(
    code="TS307",
    name="grid-coverage",
    severity="warning",
    summary="The grid does not cover the tensor that it writes",
    doc="""\
Whole tiles of a tensor are written by no block. It is told where the extents of the grid are swapped (another
axis gets more blocks than it has tiles), and where a tensor that is read is left out in the same way.
""",
    example="""\
with T.Kernel(T.ceildiv(M, 64), T.ceildiv(N, 64), threads=128) as (bx, by):
    ...
    T.copy(C_l, C[by * 64, bx * 64])
""",
    why="""\
With M = 512 and N = 256, `bx` has 8 values and chooses among 4 tiles of columns, `by` has 4 values and chooses
among 8 tiles of rows: rows 256 … 511 of `C` are never written, and half of the blocks have no work behind the
compiler's guard.
""",
    fix="Give `T.Kernel` its extents in the order of the names: the first is that of `bx`.",
    ignore="Where the kernel is meant to write a part of the tensor.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Tensors of which no block writes whole tiles, where the grid is what is at fault."""
    launch = subject.kernel.launch
    if launch is None or launch.line is None or not given_values(subject):
        return
    told = set()
    for coverage in subject.kernel.coverage:
        if coverage.mode != "write" or coverage.verdict != "faulty":
            continue
        for short in _short(coverage):
            over = too_many(coverage, short)
            if over is None and not _read_alike(subject, short):
                continue
            key = (short["variable"], over and over["variable"])
            if key in told:
                continue
            told.add(key)
            yield Fault(
                _message(coverage, short, over, block_names(subject)),
                launch.line,
                column=launch.column,
                end_column=launch.end_column,
                help="swap the extents of T.Kernel, or the names behind `as`"
                if over
                else "launch a block for every tile",
                related=tuple(_related(coverage, subject)),
                fixes=_swapped(subject, short, over) if over else (),
            )


def _swapped(subject: Subject, short: dict[str, Any], over: dict[str, Any]) -> tuple[Fix, ...]:
    """The two extents in each other's place."""
    launch = subject.kernel.launch
    for call in fixes.calls(subject.tree, (launch and launch.line) or 0, "Kernel"):
        one, other = sorted("xyz".find(axis["variable"][-1]) for axis in (short, over))
        if one < 0 or other >= len(call.args):
            return ()
        first, second = call.args[one], call.args[other]
        edits = (
            fixes.node_replaced(subject.text, first, ast.unparse(second)),
            fixes.node_replaced(subject.text, second, ast.unparse(first)),
        )
        return (fixes.fix("Swap the extents of the grid", *edits),)
    return ()


def _message(coverage: Coverage, short: dict[str, Any], over: dict[str, Any] | None, names: dict[str, str]) -> str:
    name = names.get(short["variable"], short["variable"])
    tiles = -(-short["extent"] // short["tile"])
    missing = span(short["last"] + 1, short["extent"] - 1)
    said = (
        f"{name} has {short['count']} values but chooses among {tiles} tiles of {coverage.buffer}, which is not "
        f"written at {missing} of {short['extent']}"
    )
    if over is None:
        return said
    other = names.get(over["variable"], over["variable"])
    enough = -(-over["extent"] // over["tile"])
    return (
        f"{said}; {other} has {over['count']} values for {enough} tiles: the extents of the grid seem to be swapped"
    )


def _short(coverage: Coverage) -> Iterator[dict[str, Any]]:
    """The axes of which the blocks leave out the end: at least a tile, or a part where another axis has too many."""
    for axis in _by_blocks(coverage):
        left = axis["extent"] - 1 - axis["last"]
        cut = left >= axis["tile"] or (left > 0 and too_many(coverage, axis) is not None)
        if axis["first"] == 0 and cut:
            yield axis


def too_many(coverage: Coverage, short: dict[str, Any]) -> dict[str, Any] | None:
    """An axis that gets whole tiles beyond its end, whose number of blocks would do for the axis ``short``."""
    for axis in _by_blocks(coverage):
        beyond = axis["last"] + 1 - axis["extent"]
        if beyond >= axis["tile"] and axis["count"] * short["tile"] >= short["extent"]:
            return axis
    return None


def _by_blocks(coverage: Coverage) -> list[dict[str, Any]]:
    return [axis for axis in coverage.detail.get("axes", ()) if axis.get("kind") == "block"]


def _read_alike(subject: Subject, short: dict[str, Any]) -> bool:
    """Whether a tensor that is read ends as late as the written one and is left as early by the same blocks."""
    wanted = {key: short[key] for key in ("variable", "extent", "last")}
    return short["tile"] > 1 and any(
        wanted.items() <= axis.items()
        for coverage in subject.kernel.coverage
        if coverage.mode == "read" and coverage.verdict == "faulty"
        for axis in coverage.detail.get("axes", ())
    )


def _related(coverage: Coverage, subject: Subject) -> Iterator[tuple[int, str]]:
    for one in subject.kernel.coverage:
        if one.line is not None and one.buffer == coverage.buffer:
            yield one.line, f"{one.buffer} is {'written' if one.mode == 'write' else 'read'} here"
