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
""",
    example="""\
T.gemm(A_s, B_s, C_l)  # for the target webgpu
""",
    why="""\
TileLang 0.1.15 has no `T.gemm` for webgpu: the kernel has no source for this target, and cannot run on it.
""",
    fix="""\
Choose a target that has the operation (`--target cuda:sm_90a`), or write it out in loops. Where it is not the
target's limit, `tilescope trace` keeps everything up to the failing pass, to look at what it was given. A pass that
only makes kernels faster can be turned off: `--pass-config tl.disable_warp_specialized=true`.
""",
)
