"""TS101: TileLang's front end refuses the kernel."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS101",
    name="elaboration-failed",
    severity="error",
    summary="TileLang's front end cannot build the kernel",
    doc="""\
Running the kernel's Python to build its IR failed in a way that has no code of its own: an assertion of the kernel's,
an operation on operands that it does not take. The finding is at the line of the kernel (or macro) that failed; for a
macro, its call sites are related places.

Where the statement can be left out, the rest of the kernel is compiled without it, so that further faults show.
""",
    example="""\
def matmul(M, block=48):
    assert M % block == 0, "M must be a multiple of block"
""",
)
