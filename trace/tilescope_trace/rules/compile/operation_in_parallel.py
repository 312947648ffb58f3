"""TS125: a tile operation stands inside T.Parallel."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS125",
    name="operation-in-parallel",
    severity="error",
    summary="A tile operation stands inside T.Parallel",
    doc="""\
The body of `T.Parallel` is executed per element, each by one thread; tile operations (`T.copy`, `T.gemm`,
`T.reduce_*`, `T.clear`) are executed by the whole block together.
""",
    example="""\
for i in T.Parallel(128):
    T.copy(A[i, 0:128], row)
""",
    why="""\
Each of the 128 iterations belongs to one thread, and the copy of a row needs all of them. The compiler refuses the
operation before it lowers anything, and names no line.
""",
    fix="""\
Make the loop `T.serial(128)`: the block copies one row after the other. Or move the operation out of the loop and
copy all rows at once: `T.copy(A[0:128, 0:128], tile)`.
""",
)


def explain(case: Case) -> Wording | None:
    """The operation."""
    found = case.find(r'Only elementwise operations are allowed inside a parallel loop.*?name="tl\.tileop\.(\w+)"')
    if found is None:
        return None
    written = re.search(r"\bT\.(\w+)\s*\(", case.statement)
    name = f"T.{written[1] if written else found[1]}"
    on = ", ".join(dict.fromkeys(operand.name for operand in case.failure.operands))
    return Wording(
        f"{name} ({on}) cannot stand inside T.Parallel: it is executed by the whole block, the loop per element"
        if on
        else f"{name} cannot stand inside T.Parallel: it is executed by the whole block, the loop per element",
        "move it out of the loop, or use T.serial for the loop",
        name,
    )
