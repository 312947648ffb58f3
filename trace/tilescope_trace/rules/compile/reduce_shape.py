"""TS115: the output of a reduction has the wrong shape."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS115",
    name="reduce-shape",
    severity="error",
    summary="The output of a reduction has the wrong shape",
    doc="""\
Reducing a buffer along dimension `dim` leaves its other dimensions: a (64, 32) fragment reduced along dimension 1
gives 64 elements, as (64,) or (64, 1).
""",
    example="""\
f = T.alloc_fragment((64, 32), "float32")
r = T.alloc_fragment((32,), "float32")
T.reduce_max(f, r, dim=1)  # gives 64 elements
""",
    why="""\
Dimension 1 is reduced, so one maximum is left for each of the 64 rows, and `r` has room for 32. The kernel is not
built.
""",
    fix="""\
Allocate `r` as (64,). If 32 values are meant, one for each column, reduce along `dim=0`.
""",
)


def explain(case: Case) -> Wording | None:
    """The output as it is, and as it has to be."""
    found = case.find(
        r"Invalid reduce output shape, buffer shape is (\(.*?\)), dim is (\S+), output shape is (\[.*?\]), "
        r"expected shapes are ([^\n]*)"
    )
    if found is None:
        return None
    shape, dim, out, expected = found.groups()
    written = re.search(r"\b(reduce_\w+|reduce)\s*\(", case.statement)
    callee = written[1] if written else case.failure.operation or "reduce"
    source, result = case.names(callee, ("buffer", "src"), ("out", "dst"))
    return Wording(
        f"T.{callee}: {result} has shape {out}, but reducing {source} {shape} along dimension {dim} gives {expected}",
        f"allocate {result} with shape {expected}, or reduce along another dimension",
    )
