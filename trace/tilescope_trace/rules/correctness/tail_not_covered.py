"""TS306: a truncating division leaves the tail of a tensor out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Coverage, Fix

from .grid_coverage import too_many
from .wording import block_names, given_values, span

RULE = Rule(
    code="TS306",
    name="tail-not-covered",
    severity="warning",
    summary="Blocks or iterations end before the tensor does",
    doc="""\
The number of tiles is that of whole tiles (`N // block_N`), and the tensor has more elements than they cover.
What is left is less than a tile, which is how a division rounded down shows.
""",
    example="""\
with T.Kernel(1000 // 128, threads=128) as bx:
    T.copy(A[bx * 128], s)
    T.copy(s, B[bx * 128])
""",
    why="""\
7 blocks of 128 cover 896 of 1000 elements: the last 104 of `B` are never written and keep what was there. With
`T.ceildiv` there are 8 blocks, and the compiler guards what the last one has beyond the end.
""",
    fix="""\
Count the tiles with `T.ceildiv(N, block_N)`. The compiler guards copies and element accesses to global memory.
""",
    ignore="Where the tail is left to another kernel.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Axes on which whole tiles stop less than a tile before the end, one finding for the loop or grid of each."""
    if not given_values(subject):
        return
    launch = subject.kernel.launch
    told: dict[tuple[int, str], list[tuple[Coverage, dict[str, Any]]]] = {}
    for coverage in subject.kernel.coverage:
        for axis in _cut(coverage):
            line = launch.line if axis["kind"] == "block" and launch is not None else axis.get("line")
            if isinstance(line, int):
                told.setdefault((line, axis["variable"]), []).append((coverage, axis))
    names = block_names(subject) if told else {}
    for (line, variable), found in told.items():
        written = [one for one in found if one[0].mode == "write"]
        coverage, axis = (written or found)[0]
        extent, covered = axis["extent"], axis["last"] + 1
        what = "written" if coverage.mode == "write" else "read"
        others = sorted({one.buffer for one, _ in found} - {coverage.buffer})
        tiles = "blocks" if axis["kind"] == "block" else "iterations"
        name = names.get(variable, variable)
        start, end = _columns(subject, line, axis["kind"])
        yield Fault(
            f"{axis['count']} {tiles} of {axis['tile']} ({name}) cover {covered} of {extent}: "
            f"{coverage.buffer} is not {what} at {span(covered, extent - 1)}"
            + (f"; the same of {', '.join(others)}" if others else ""),
            line,
            column=start,
            end_column=end,
            help=f"count the tiles with T.ceildiv({extent}, {axis['tile']}): the compiler guards the last one",
            fixes=_rounded_up(subject, line, variable, axis["kind"]),
            related=tuple(
                (one.line, f"{one.buffer} is {'written' if one.mode == 'write' else 'read'} here")
                for one, _ in found
                if one.line is not None
            ),
        )


def _columns(subject: Subject, line: int, kind: str) -> tuple[int | None, int | None]:
    """Where the grid or the loop at ``line`` is written."""
    launch = subject.kernel.launch
    if kind == "block" and launch is not None:
        return launch.column, launch.end_column
    for loop in subject.operations("pipeline", "loop"):
        if loop.line == line:
            return loop.column, loop.end_column
    return None, None


def _rounded_up(subject: Subject, line: int, variable: str, kind: str) -> tuple[Fix, ...]:
    """``T.ceildiv`` in the place of the ``//`` that counts the tiles."""
    names = ("Kernel",) if kind == "block" else ("Pipelined", "serial", "Serial", "unroll", "range")
    for call in fixes.calls(subject.tree, line, *names):
        at = "xyz".find(variable[-1]) if kind == "block" else 0
        module = fixes.module_of(call) or "T"
        count = call.args[at] if 0 <= at < len(call.args) and (kind == "block" or len(call.args) == 1) else None
        if isinstance(count, ast.BinOp) and isinstance(count.op, ast.FloorDiv):
            rounded = f"{module}.ceildiv({ast.unparse(count.left)}, {ast.unparse(count.right)})"
            edit = fixes.node_replaced(subject.text, count, rounded)
            return (fixes.fix("Round the number of tiles up", edit),)
    return ()


def _cut(coverage: Coverage) -> Iterator[dict[str, Any]]:
    """The axes on which all accesses end with the last whole tile, and less than one is left."""
    if coverage.verdict != "faulty":
        return
    for axis in coverage.detail.get("axes", ()):
        if axis.get("kind") not in ("block", "serial") or axis.get("first") != 0:
            continue
        left = axis["extent"] - 1 - axis["last"]
        whole = axis["last"] + 1 == axis["count"] * axis["tile"]
        if whole and 0 < left < axis["tile"] and too_many(coverage, axis) is None:
            yield axis
