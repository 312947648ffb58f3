"""TS111: the tiles of a T.gemm do not fit together."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS111",
    name="gemm-shape",
    severity="error",
    summary="The tiles of a T.gemm do not fit together",
    doc="""\
`T.gemm(A, B, C)` multiplies an (M, K) tile by a (K, N) tile into an (M, N) tile; `transpose_A` and `transpose_B`
exchange the two extents of A and B. The extent that both operands share has to be the same.
""",
    example="""\
A_s = T.alloc_shared((64, 32), "float16")
B_s = T.alloc_shared((64, 64), "float16")
T.gemm(A_s, B_s, C_l)  # K is 32 in A_s and 64 in B_s
""",
    why="""\
`A_s` is (64, 32) and says that K is 32, `B_s` is (64, 64) and says that it is 64. There is no such product, and the
kernel is not built.
""",
    fix="""\
Usually one of the `alloc_shared` calls names the wrong block size: `B_s` has to be (32, 64). Or a transpose flag is
missing: a `B_s` that is held as (N, K), here (64, 32), needs `transpose_B=True`.
""",
)


def explain(case: Case) -> Wording | None:
    """The extents that differ, in which tiles."""
    found = case.find(r"(\w+) shape check failed: \1_([ABC]) = (\S+?), \1_([ABC]) = (\S+)")
    if found is None:
        return None
    axis, one, size, other, other_size = found.groups()
    names = dict(zip("ABC", case.names("gemm", ("A",), ("B",), ("C",)), strict=True))
    shapes = [operand for role in (one, other) if (operand := case.operand(role)) is not None]
    told = "".join(f"; {operand.name} is {shape(operand.extents or operand.shape)}" for operand in shapes)
    return Wording(
        f"T.gemm: the {axis} extents differ: {size} in {names[one]}, {other_size} in {names[other]}{told}",
        "without transpose_A and transpose_B the shapes are (M, K), (K, N) and (M, N)",
    )
