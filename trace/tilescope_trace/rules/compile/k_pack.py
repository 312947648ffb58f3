"""TS137: k_pack of a T.gemm is neither 1 nor 2."""

from __future__ import annotations

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS137",
    name="k-pack",
    severity="error",
    summary="k_pack of a T.gemm is neither 1 nor 2",
    doc="""\
`k_pack` is the number of matrix instructions along K that share one load from shared memory, on AMD targets only. It
is 1 or 2. In TileLang 0.1.15 it belongs to the `T.gemm` of `tilelang.rocm.language`.
""",
    example="""\
import tilelang.rocm.language as T

T.gemm(A_s, B_s, C_l, k_pack=3)
""",
    why="""\
TileLang 0.1.15 refuses the call; earlier versions accept it and stop deep inside of layout inference, without a
place.
""",
    fix="Give 1 or 2, or leave it out.",
)


def explain(case: Case) -> Wording | None:
    """The value given."""
    found = case.find(r"k_pack must be an int equal to 1 or 2, got ([^\s,]+)")
    if found is None:
        return None
    edits = [
        fixes.without_keyword(case.text, call, "k_pack") for call in fixes.calls(case.tree, case.line or 0, "gemm")
    ]
    return Wording(
        f"T.gemm: k_pack is {found[1]}, but has to be 1 or 2",
        "give 1 or 2, or leave k_pack out",
        "k_pack",
        fixes=tuple(fixes.fix("Leave k_pack out", edit) for edit in edits[:1] if edit is not None),
    )
