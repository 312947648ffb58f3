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
A matrix instruction takes a fixed number of elements along K: 16 for 16-bit dtypes, 32 for 8-bit ones, 8 for tf32.
`block_K` has to be a multiple of it.
""",
    example="""\
A_s = T.alloc_shared((64, 24), "float16")
B_s = T.alloc_shared((24, 64), "float16")
T.gemm(A_s, B_s, C_l)  # K is 24
""",
    why="""\
A K of 24 is one instruction of 16 and half of another. The compiler finds it after the layouts, when it writes the
instructions: "block_K (24) must be a multiple of micro_size_k (16)", without a line.
""",
    fix="""\
Take 16 or 32 along K, in both tiles and in the loop that steps along K. What the last step reads beyond the end of
the tensors is zero and adds nothing.
""",
)


def explain(case: Case) -> Wording | None:
    """The K extent and what it has to be a multiple of."""
    found = case.find(r"block_K \((\d+)\) must be a multiple of micro_size_k \((\d+)\)")
    found = found or case.find(r"\bK (?:shape )?must be divisible by[^\n]*?()(\d+)")
    a, b = case.names("gemm", ("A",), ("B",))
    if found is None:
        return _short(case, a, b)
    got = f"is {found[1]}, which is" if found[1] else "is"
    return Wording(
        f"T.gemm: the K extent of {a} and {b} {got} not a multiple of {found[2]}",
        f"choose a block size along K that is a multiple of {found[2]}",
    )


def _short(case: Case, a: str, b: str) -> Wording | None:
    """A K extent of 4, for which the compiler takes the instruction of float64."""
    left = case.operand("A")
    if case.find(r"For fp64 MMA, m_dim must be 8") is None or left is None or left.dtype == "float64":
        return None
    return Wording(
        f"T.gemm: the K extent of {a} and {b} is too small: no matrix instruction for {left.dtype} takes it",
        "choose a block size along K of at least 8 for 32-bit, 16 for 16-bit and 32 for 8-bit dtypes",
    )
