"""TS120: the rows or columns of a T.gemm tile are not a multiple of the instruction's."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS120",
    name="gemm-m-alignment",
    severity="error",
    summary="The rows or columns of a T.gemm tile are not a multiple of the instruction's",
    doc="""\
Matrix instructions work on tiles of fixed size: 16 rows (M) by 8 columns (N) for `mma`. The tile of a `T.gemm` is
made of whole ones.
""",
    example="""\
A_s = T.alloc_shared((24, 64), "float16")
T.gemm(A_s, B_s, C_l)  # 24 rows are not a multiple of 16
""",
    why="""\
24 rows are one instruction and a half, and there are no half ones. Layout inference stops with "M must be divisible
by 16, but got 24" and names neither the line nor the buffer.
""",
    fix="""\
Pad to the next multiple: 32 rows for `A_s` and `C_l`, and a grid that steps by 32. What a copy reads beyond the end
of a tensor is zero, and nothing is stored there. Or swap the operands, so that the short side is N: 24 is 3 × 8.
""",
)


def explain(case: Case) -> Wording | None:
    """The extent and what it has to be a multiple of."""
    found = case.find(r"\b([MN]) must be divisible by (\d+), but got (\d+)")
    if found is None:
        return None
    axis, unit, got = found.groups()
    a, b = case.names("gemm", ("A",), ("B",))
    name, what = (a, "rows (M)") if axis == "M" else (b, "columns (N)")
    need = -(-int(got) // int(unit)) * int(unit)
    return Wording(f"T.gemm: {name} has {got} {what}, which is not a multiple of {unit}", f"pad the tile to {need}")
