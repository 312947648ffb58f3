"""TS102: a lowering pass fails."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS102",
    name="lowering-failed",
    severity="error",
    summary="A lowering pass of the compiler fails on the kernel",
    doc="""\
The kernel was built, but one of the passes that lower it to the target stopped, in a way that has no code of
its own. `pass` names the pass.

Most messages of passes name no place. The statement is then found from the buffers and numbers they mention,
from the operation the compiler was at, or by lowering again without some of the statements, at most six times.
Confidence `exact` means that the statement was found; `likely` that the finding is near: at the statement that
is left after the others were excluded, or at the kernel.

`tilescope trace` keeps everything up to the failing pass, to look at what it was given.
""",
    example="""\
T.gemm(A_s, B_s, C_l)  # on a target that has no implementation of it
""",
)
