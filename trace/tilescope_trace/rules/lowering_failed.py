"""TS102: a lowering pass fails."""

from __future__ import annotations

from .rule import Rule

RULE = Rule(
    code="TS102",
    name="lowering-failed",
    severity="error",
    summary="A lowering pass of the compiler fails on the kernel",
    doc="""\
The kernel was built, but one of the passes that lower it to the target stopped: typically no layout satisfies
all operations on a buffer, a tile does not divide over the warps, or the regions of a copy differ. `pass`
names the pass. Where the compiler gives no line, the finding is at the kernel and its confidence is `likely`.

`tilescope trace` keeps everything up to the failing pass, to look at what it was given.
""",
    example="""\
with T.Kernel(1, threads=96) as bx:  # 3 warps cannot share a 64 × 64 tile
    T.gemm(A_s, B_s, C_l)
""",
)
