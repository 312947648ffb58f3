"""TS126: a thread's own buffer is indexed by a T.Parallel variable."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS126",
    name="local-in-parallel",
    severity="error",
    summary="A thread's own buffer is indexed by a T.Parallel variable",
    doc="""\
`T.alloc_local` gives every thread a buffer of its own, while the iterations of `T.Parallel` are spread over the
threads: which thread's element is meant is not defined.
""",
    example="""\
own = T.alloc_local((8,), "float32")
for i in T.Parallel(8):
    own[i] = A[i]
""",
    why="""\
The eight iterations go to eight threads. Each would write one element of its own copy of `own`; its other seven,
and the copies of all other threads, would hold what was there before. The compiler refuses it, without a line.
""",
    fix="""\
`own = T.alloc_fragment((8,), "float32")` for eight elements that the block has together: they are spread over the
threads like the iterations. `for i in T.serial(8)` where each thread is to have all eight.
""",
)


def explain(case: Case) -> Wording | None:
    """The buffer and the variable."""
    found = case.find(r"Local buffer `(\w+)` is indexed by T\.Parallel loop variable `(\w+)`")
    if found is None:
        return None
    return Wording(
        f"{found[1]} is private to each thread and cannot be indexed by the T.Parallel variable {found[2]}",
        "use T.alloc_fragment for a tile spread over the threads, or T.serial for a loop of each thread",
        found[1],
    )
