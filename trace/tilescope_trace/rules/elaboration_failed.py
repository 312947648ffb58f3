"""TS101: TileLang's front end refuses the kernel."""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    code="TS101",
    name="elaboration-failed",
    severity="error",
    summary="TileLang's front end cannot build the kernel",
    doc="""\
Running the kernel's Python to build its IR failed: a name that does not exist, operands whose shapes do not
fit, an index of the wrong rank, a Python operator on a value known only at run time. The finding is at the
line of the kernel (or macro) that failed; for a macro, its call sites are related places.

The front end stops at the first fault, so mending one may show another.
""",
    example="""\
A_s = T.alloc_shared((64, 32), "float16")
B_s = T.alloc_shared((64, 64), "float16")
T.gemm(A_s, B_s, C_l)  # K is 32 in A_s and 64 in B_s
""",
)
