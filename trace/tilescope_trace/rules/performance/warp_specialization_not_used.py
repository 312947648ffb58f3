"""TS403: a pipeline is not warp-specialized, on a target where it can be."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules import pipelines
from tilescope_trace.rules.alignment import against_tma
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Operation

RULE = Rule(
    code="TS403",
    name="warp-specialization-not-used",
    severity="info",
    summary="A pipeline is not warp-specialized, on a target where it can be",
    doc="""\
From sm_90 on the compiler divides the warps of a block: some start copies by TMA, the others work. It does so for
the first `T.Pipelined` loop of a kernel that has a copy which TMA can do, unless the kernel divides its warps
itself. Where the kernel's own pass configs turn it off, nothing is told.
""",
    example="""\
for k in T.Pipelined(8, num_stages=3):  # specialized
    T.copy(A[0, k * 32], A_s)
    T.gemm(A_s, B_s, C_l)
for k in T.Pipelined(8, num_stages=3):  # not
    T.copy(A[0, k * 32], A2_s)
    T.gemm(A2_s, B_s, C_l)
""",
    why="""\
The copies of the second loop are `cp.async` of 16 bytes by the 128 threads that also do the work, in place of TMA by
128 others.
""",
    fix="Put the loop that counts first, or merge the two. Keep copies aligned: see TS402.",
    ignore="""\
Where the loop takes a small part of the kernel's time, such as one that prepares a tile for the main loop.
""",
)

_FROM_SM = 90


def check(subject: Subject) -> Iterator[Fault]:
    """Pipelines whose warps all do the same, with the reason."""
    off = pipelines.is_off(subject, "tl.disable_warp_specialized", "tl.disable_tma_lower")
    if off or not pipelines.is_lowered(subject) or (pipelines.sm(subject) or 0) < _FROM_SM:
        return
    loops = pipelines.pipelines(subject)
    for loop in loops:
        if pipelines.is_specialized(loop):
            continue
        reason = _reason(subject, loop, loops)
        if reason is not None:
            yield Fault(f"this pipeline is not warp-specialized: {reason}", loop.line or 0, name="Pipelined")


def _reason(subject: Subject, loop: Operation, loops: list[Operation]) -> str | None:
    first = next((one for one in loops if pipelines.is_specialized(one)), None)
    if first is not None:
        return f"only the first one of a kernel is (line {first.line}); its copies do not use TMA"
    copies = pipelines.loads(pipelines.inside(subject, loop))
    if not any("cp_async" in copy.lowered_to for copy in copies):
        return None  # TS401 says more
    against = [against_tma(subject, copy) for copy in copies]
    if all(reason is not None for reason in against):
        return f"TMA can do none of its copies ({copies[0].detail.get('src')}: {against[0]})"
    return None
