"""TS119: the operands of a T.gemm have dtypes that no instruction takes together."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS119",
    name="gemm-dtype",
    severity="error",
    summary="The operands of a T.gemm have dtypes that no instruction takes together",
    doc="""\
Matrix instructions take A and B of one dtype, and accumulate in a dtype that belongs to it. Only the `tcgen05`
instructions of sm_100 take two of the 4, 6 and 8-bit float formats together.
""",
    example="""\
A_s = T.alloc_shared((64, 64), "float16")
B_s = T.alloc_shared((64, 64), "int8")
T.gemm(A_s, B_s, C_l)
""",
    why="""\
No instruction multiplies float16 by int8, and `T.gemm` converts neither: the compiler stops. So it does for float16
with bfloat16, and on sm_80 and sm_90 for float8_e4m3fn with float8_e5m2.
""",
    fix="""\
Copy one operand into a tile of the other's dtype first: `B_h = T.alloc_shared((64, 64), "float16")`, `T.copy(B_s,
B_h)`, `T.gemm(A_s, B_h, C_l)`. float16 holds every int8 exactly.
""",
)


def explain(case: Case) -> Wording | None:
    """Both operands with their dtypes."""
    found = case.find(r"Mixed-dtype GEMM only supports .*?got A=(\w+), B=(\w+)")
    if found is not None:
        a, b = case.names("gemm", ("A",), ("B",))
        return Wording(
            f"T.gemm: {a} is {found[1]} and {b} is {found[2]}, which no matrix instruction takes together",
            "copy one of them into a tile of the other's dtype first",
        )
    found = case.find(r"[Uu]nsupported (?:dtype|data type|accum\w* dtype)[^\n]*")
    if found is None or case.failure.operation != "gemm":
        return None
    told = ", ".join(f"{operand.name} is {operand.dtype}" for operand in case.failure.operands)
    return Wording(
        f"T.gemm: no matrix instruction takes these dtypes: {told}", "use dtypes that the target multiplies"
    )
