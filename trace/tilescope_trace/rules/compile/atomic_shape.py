"""TS147: an atomic operation between buffers of different shapes."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS147",
    name="atomic-shape",
    severity="error",
    summary="An atomic operation gets a destination and values of different shapes",
    doc="""\
`T.atomic_add`, `T.atomic_max` and `T.atomic_min` with tiles treat them element by element: destination and values
need as many dimensions, of the same extents.
""",
    example="""\
sums: T.Tensor((128,), "float32")
...
tile = T.alloc_shared((128, 64), "float32")
T.atomic_add(sums, tile)
""",
    why="""\
`tile` has 8192 values and `sums` 128 elements: which values are added to which is not said. The compiler stops with
"StructuralEqual check failed" or an index that is out of bounds, without the names of the buffers.
""",
    fix="""\
Reduce the values first: `T.reduce_sum(tile, rows, dim=1)` with a fragment `rows` of 128, and
`T.atomic_add(sums, rows)`. Or give a slice of the destination that is as large as they are.
""",
)
_UNEQUAL = re.compile(r"StructuralEqual check failed|Index \d+ out of bounds \d+")


def explain(case: Case) -> Wording | None:
    """Both buffers with their shapes, where they differ."""
    called = re.search(r"\b(atomic_\w+)\s*\(", case.statement)
    operands = case.failure.operands
    if called is None or len(operands) != 2 or _UNEQUAL.search(case.said) is None:
        return None
    first, second = operands
    # While a kernel is built they have roles; later the values come first.
    target, values = (first, second) if first.role == "dst" else (second, first)
    goal, given = target.extents or target.shape, values.extents or values.shape
    if goal == given:
        return None
    return Wording(
        f"T.{called[1]}: {target.name} ({shape(goal)}) and {values.name} ({shape(given)}) differ in shape",
        f"reduce {values.name} first, or give as large a slice of {target.name}",
    )
