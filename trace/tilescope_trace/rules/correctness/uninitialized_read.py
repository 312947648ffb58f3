"""TS310: a buffer is read before anything writes it."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS310",
    name="uninitialized-read",
    severity="warning",
    summary="A buffer is read before anything writes it",
    doc="""\
A freshly allocated tile holds whatever was in its memory. `T.gemm` and reductions with `clear=False` add to what is
there, so an accumulator needs `T.clear` (or `clear_accum=True`) first.
""",
    example="""\
C_l = T.alloc_fragment((64, 64), "float32")
T.gemm(A_s, B_s, C_l)  # C_l is read before anything writes it
""",
)


def explain(case: Case) -> Wording | None:
    """The buffer."""
    found = case.find(r"`(\w+)` is read before anything writes it")
    if found is None:
        return None
    return Wording(
        f"{found[1]} is read before anything writes it",
        "initialise it first: T.clear, T.fill, T.copy into it, or clear_accum=True for a T.gemm",
        found[1],
    )
