"""TS402: a copy in a pipeline does not use TMA, on a target that has it."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules import pipelines
from tilescope_trace.rules.alignment import against_tma
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS402",
    name="tma-not-used",
    severity="info",
    summary="A copy in a pipeline does not use TMA, on a target that has it",
    doc="""\
From sm_90 on a single thread can start the copy of a whole tile, by TMA. The compiler uses it for loads from global
to shared memory in a warp-specialized pipeline where

- source and target have one dtype,
- rows of the tile, and the distances between rows of the tensor, are multiples of 16 bytes,
- the loop is the first `T.Pipelined` of the kernel (TS403 tells of others).

Other copies are done by the threads, with `cp.async` where that is possible. Where the kernel's own pass configs or
the call choose so, nothing is told.
""",
    example="""\
A: T.Tensor((64, 257), "float16")
for k in T.Pipelined(8, num_stages=3):
    T.copy(A[0, k * 32], A_s)
""",
    why="""\
Rows of `A` are 514 bytes apart. 128 threads copy 64 × 32 elements one by one, 2 bytes at a time, in place of one
thread that starts a single copy.
""",
    fix="Pad rows of the tensor to a multiple of 16 bytes; copy without a cast.",
    ignore="When the tensor's layout is not yours to choose.",
)

_FROM_SM = 90


def check(subject: Subject) -> Iterator[Fault]:
    """Loads in pipelines without TMA, with what is known against it."""
    off = pipelines.is_off(subject, "tl.disable_warp_specialized", "tl.disable_tma_lower")
    if off or not pipelines.is_lowered(subject) or (pipelines.sm(subject) or 0) < _FROM_SM:
        return
    for loop in pipelines.pipelines(subject):
        for copy in pipelines.loads(pipelines.inside(subject, loop)):
            if not copy.lowered_to or "tma_load" in copy.lowered_to or pipelines.asked_otherwise(subject, copy):
                continue
            reason = against_tma(subject, copy)
            if reason is not None:
                yield Fault(
                    f"this copy does not use TMA: {reason}",
                    copy.line or 0,
                    operation="copy",
                    help=f"it is done with {', '.join(copy.lowered_to)}",
                )
