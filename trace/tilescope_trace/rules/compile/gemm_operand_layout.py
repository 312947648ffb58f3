"""TS140: a matrix instruction cannot read an operand of this shape from shared memory."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS140",
    name="gemm-operand-layout",
    severity="error",
    summary="A matrix instruction cannot read an operand of this shape from shared memory",
    doc="""\
Hopper's `wgmma` and Blackwell's `tcgen05` read their operands straight from shared memory, in blocks of whole
swizzle atoms. An operand whose contiguous dimension is not K (A transposed, B not transposed) has to be a multiple
of 16, 32 or 64 elements of 16 bits wide there, the more the wider its swizzle.
""",
    example="""\
A_s = T.alloc_shared((64, 32), "float16")
B_s = T.alloc_shared((32, 24), "float16")
T.gemm(A_s, B_s, C_l)  # 24 columns, on sm_90a
""",
    why="""\
The kernel compiles for sm_80, where `mma` reads its operands through registers, and not for sm_90a.
""",
    fix="""\
Make the tile a multiple of 32 or 64 columns, or keep the operand K-major: load B as `(N, K)` and give
`transpose_B=True`.
""",
)


def explain(case: Case) -> Wording | None:
    """The operands and their shapes."""
    found = case.find(r"Not a canonical [GU]MMA_(?:MN|K) layout|[WGU]+MMA operand layout contiguity")
    if found is None:
        return None
    operands = [operand for role in ("A", "B") if (operand := case.operand(role)) is not None]
    if not operands:
        a, b = case.names("gemm", ("A",), ("B",))
        return Wording(f"T.gemm: the matrix instruction cannot read {a} or {b} in this shape", _HELP)
    shown = " or ".join(f"{operand.name} ({shape(operand.shape)})" for operand in operands)
    return Wording(f"T.gemm: the matrix instruction cannot read {shown} from shared memory", _HELP)


_HELP = (
    "make the tile a multiple of 64 along the contiguous dimension, or keep the operand K-major (transpose_B=True)"
)
