"""TS145: a reduction or a cumulative sum goes along a dimension that its buffer does not have."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS145",
    name="no-such-dimension",
    severity="error",
    summary="A reduction goes along a dimension that its buffer does not have",
    doc="""\
`dim` of `T.reduce_*`, `T.reduce` and `T.cumsum` counts from 0, or from -1 backwards. A buffer with two dimensions has
0 and 1, or -2 and -1.
""",
    example="""\
S = T.alloc_shared((128, 64), "float32")
T.cumsum(S, dim=2)
""",
    why="""\
`S` has the dimensions 0 (128) and 1 (64). For a reduction the compiler says that the output's shape is invalid and
has to be 128 × 64, so that the mistake seems to be in the output.
""",
    fix="`dim=1` or `dim=-1` goes along the 64 elements of each row, `dim=0` along the 128 of each column.",
)
_REDUCED = re.compile(r"Invalid reduce output shape, buffer shape is (\(.*?\)), dim is (-?\d+)")
_SUMMED = re.compile(r"Dimension (-?\d+) is out of bounds for buffer with shape (\(.*?\))")


def explain(case: Case) -> Wording | None:
    """The buffer, its dimensions, and the one asked for."""
    if (reduced := _REDUCED.search(case.said)) is not None:
        extents, dim = reduced.groups()
    elif (summed := _SUMMED.search(case.said)) is not None:
        dim, extents = summed.groups()
    else:
        return None
    sizes = tuple(part.strip() for part in extents.strip("()").split(",") if part.strip())
    rank = len(sizes)
    if -rank <= int(dim) < rank:
        return None
    written = re.search(r"\b(reduce_\w+|reduce|cumsum)\s*\(", case.statement)
    callee = written[1] if written else case.failure.operation or "reduce"
    (source,) = case.names(callee, ("buffer", "src"))
    return Wording(
        f"T.{callee}: {source} ({shape(sizes)}) has no dimension {dim}",
        f"dimensions are 0 to {rank - 1}, or {-rank} to -1" if rank > 1 else "the only dimension is 0, or -1",
        "dim",
    )
