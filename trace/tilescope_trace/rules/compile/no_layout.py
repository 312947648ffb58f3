"""TS134: nothing decides how a fragment lies in registers."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS134",
    name="no-layout",
    severity="error",
    summary="Nothing decides how a fragment lies in registers",
    doc="""\
The layout of a fragment comes from the operations on it: `T.gemm`, `T.copy`, reductions, `T.Parallel` loops. A
fragment that is only filled, or that is indexed by run-time values only, has none; targets without threads (`c`) have
no fragments at all.
""",
    example="""\
f = T.alloc_fragment((64, 64), "float32")
T.clear(f)  # and no other use
""",
    why="""\
Which of the 4096 elements a thread holds, and in which register, has to be known for all of them before any code can
be written. Layout inference stops.
""",
    fix="""\
Use the fragment in an operation that spreads it over the threads: `T.copy`, `T.gemm`, a reduction, or a `T.Parallel`
loop that indexes it by its variables; remove it where it is not used; give a layout by `T.annotate_layout`. For a
target without threads take `T.alloc_local`.
""",
)


def explain(case: Case) -> Wording | None:
    """The fragment."""
    found = case.find(r"[Ll]ayout for (?:fragment |buffer )?`?(\w+)`? can ?not be inferred")
    if found is None and case.find(r"(?i)layout can ?not be inferred|no available layout") is None:
        return None
    name = found[1] if found else next((operand.name for operand in case.failure.operands), None)
    return Wording(
        f"no operation decides on the register layout of {name or 'a fragment'}",
        "use it in T.Parallel, T.copy or T.gemm, or annotate its layout",
        name,
    )
