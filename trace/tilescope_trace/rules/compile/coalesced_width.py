"""TS143: the compiler cannot vectorize a loop as wide as asked."""

from __future__ import annotations

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import enclosing_loop
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS143",
    name="coalesced-width",
    severity="error",
    summary="The compiler cannot vectorize a T.Parallel loop as wide as asked",
    doc="""\
`coalesced_width` of `T.Parallel` is the number of neighbouring elements that a thread takes at once. It has to
divide the innermost extent; TileLang 0.1.15 stops at any `coalesced_width` of a `T.Parallel` (it takes those of
`T.copy`).
""",
    example="""\
for i, j in T.Parallel(64, 64, coalesced_width=8):
    B[i, j] = A[i, j]
""",
    why="""\
The compiler stops with "coalesced_width should be an IntImmNode", for 8 and any other width, and names no loop.
Without it, the same loop is vectorized.
""",
    fix="""\
Leave it out: the compiler chooses the widest access that fits. For a copy use `T.copy(..., coalesced_width=8)`.
""",
)


def explain(case: Case) -> Wording | None:
    """The loop and the width."""
    if case.find(r"coalesced_width should be an IntImmNode|coalesced_width .*?(?:divi|multiple)") is None:
        return None
    line = enclosing_loop(case.tree, case.line, "Parallel")
    calls = fixes.calls(case.tree, line or 0, "Parallel")
    edits = [fixes.without_keyword(case.text, call, "coalesced_width") for call in calls]
    return Wording(
        "this TileLang cannot lower a T.Parallel loop with coalesced_width",
        "leave coalesced_width out: the compiler chooses the widest access that fits",
        "coalesced_width",
        line,
        fixes=tuple(fixes.fix("Leave coalesced_width out", edit) for edit in edits[:1] if edit is not None),
    )
