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
    why="""\
With `M=64` and the default `block=48` 16 rows are left over, and the kernel's own assertion ends its building: there
is nothing to lower, and no fact about the kernel for these values.
""",
    fix="""\
Give values that the kernel takes, here `# tilescope: M=96` or `block=32` for an `M` of 64. Where an operation is at
fault, mend it at the line named; the message is that of the assertion or of TileLang.
""",
)
