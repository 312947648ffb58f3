"""TS138: a barrier waits for no arrivals."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS138",
    name="barrier-count",
    severity="error",
    summary="A barrier waits for no arrivals",
    doc="""\
`T.alloc_barrier(n)` makes a barrier that opens when `n` threads have arrived; `T.alloc_barrier([n, m])` makes two.
Each count is at least 1.
""",
    example="""\
bar = T.alloc_barrier(0)
""",
    why="""\
An mbarrier with a count of 0 has no defined meaning: who waits for it may wait forever. TileLang 0.1.15 refuses it,
earlier versions accept it in silence.
""",
    fix="""\
Give the number of threads that arrive: usually `threads` of the launch, or 1 where one thread starts a TMA copy.
""",
)


def explain(case: Case) -> Wording | None:
    """The count given."""
    found = case.find(r"(alloc_(?:cluster_)?barrier): arrive_count must be at least 1, got \[([^\]]*)\]")
    if found is None:
        return None
    counts = found[2].split(", ")
    wrong = next((count for count in counts if count.lstrip("-").isdigit() and int(count) < 1), found[2])
    which = f" (of {len(counts)} barriers)" if len(counts) > 1 else ""
    return Wording(
        f"T.{found[1]}: a barrier for {wrong} arrivals{which} has no meaning",
        "give the number of threads that arrive, at least 1",
        found[1],
    )
