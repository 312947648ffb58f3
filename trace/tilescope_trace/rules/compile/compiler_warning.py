"""TS110: a warning of the compiler that has no code of its own."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS110",
    name="compiler-warning",
    severity="warning",
    summary="The compiler warns about the kernel",
    doc="""\
The compiler printed a warning while it built or lowered the kernel. The place is the compiler's where it gave
one. Warnings that deserve advice of their own get their own codes over time; this one passes the rest on.
""",
    example="""\
T.copy(A[by * 64, k * 32], A_s, coalesced_width=3)  # does not divide the row
""",
)
