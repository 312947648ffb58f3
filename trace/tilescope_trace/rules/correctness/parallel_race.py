"""TS303: several iterations of a T.Parallel loop write one element."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS303",
    name="parallel-race",
    severity="warning",
    summary="Several iterations of a T.Parallel loop write one element",
    doc="""\
The iterations of T.Parallel run in parallel. Where two of them write one element, which value stays is a matter of
chance, and of sums into one element all but one are lost. Reduce with `T.reduce_sum` and its like, or use
`T.atomic_add`.

The compiler's own data race check finds this; tilescope turns it on.
""",
    example="""\
for i in T.Parallel(128):
    s[0] = A[i]
""",
)


def explain(case: Case) -> Wording | None:
    """The element and the loop variables that do not choose it."""
    found = case.find(r"`(\w+)\((.*?),?\)` is written by multiple threads in loop \((.*?),?\)")
    if found is None:
        return None
    name, index, variables = found.groups()
    several = "," in variables
    return Wording(
        f"several iterations of the T.Parallel loop over {variables} write the same element of {name}"
        + (f" ({name}[{index}])" if index else "")
        + f": {variables} {'do' if several else 'does'} not tell them apart",
        "reduce (T.reduce_sum ...), use T.atomic_add, or index the buffer by every loop variable",
        name,
    )
