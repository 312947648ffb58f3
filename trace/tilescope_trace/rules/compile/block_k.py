"""TS121: the K extent of a T.gemm tile is not a multiple of the instruction's."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS121",
    name="block-k",
    severity="error",
    summary="The K extent of a T.gemm tile is not a multiple of the instruction's",
    doc="""\
A matrix instruction takes a fixed number of elements along K: 16 for 16-bit dtypes, 32 for 8-bit ones, 8 for
tf32. `block_K` has to be a multiple of it.
""",
    example="""\
A_s = T.alloc_shared((64, 24), "float16")
B_s = T.alloc_shared((24, 64), "float16")
T.gemm(A_s, B_s, C_l)  # K is 24
""",
)


def explain(case: Case) -> Wording | None:
    """The K extent and what it has to be a multiple of."""
    found = case.find(r"block_K \((\d+)\) must be a multiple of micro_size_k \((\d+)\)")
    found = found or case.find(r"\bK (?:shape )?must be divisible by[^\n]*?()(\d+)")
    if found is None:
        return None
    a, b = case.names("gemm", ("A",), ("B",))
    got = f"is {found[1]}, which is" if found[1] else "is"
    return Wording(
        f"T.gemm: the K extent of {a} and {b} {got} not a multiple of {found[2]}",
        f"choose a block size along K that is a multiple of {found[2]}",
    )
