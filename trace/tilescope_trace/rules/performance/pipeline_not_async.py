"""TS401: a pipeline in which no copy is asynchronous."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules import pipelines
from tilescope_trace.rules.alignment import against_async
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS401",
    name="pipeline-not-async",
    severity="info",
    summary="A pipeline in which no copy is asynchronous",
    doc="""\
A pipeline hides the time of copies behind the work on earlier tiles. Only copies by `cp.async` or TMA can be under
way while a thread works; a copy through registers makes it wait, whatever `num_stages` is.
""",
    example="""\
for k in T.Pipelined(8, num_stages=3):
    T.copy(A[0, k * 32], A_s)  # A is float32, A_s float16
    T.gemm(A_s, B_s, C_l)
""",
    why="""\
A cast needs registers: the copy becomes loads, conversions and stores, and each of the 8 iterations waits for all of
them. The three stages cost three times the shared memory.
""",
    fix="""\
Copy without a cast and convert from shared memory to a fragment; keep rows a multiple of 16 bytes; copy to shared
memory. Or give `num_stages=0` and save the memory.
""",
    ignore="""\
Where the copies take a small part of the kernel's time, and shared memory does not limit the blocks on an SM.
""",
)

_ASYNC = frozenset({"cp_async", "tma_load"})
_FROM_SM = 80


def check(subject: Subject) -> Iterator[Fault]:
    """Pipelines on targets with asynchronous copies, with copies of which none is one."""
    if not pipelines.is_lowered(subject) or (pipelines.sm(subject) or 0) < _FROM_SM:
        return
    for loop in pipelines.pipelines(subject):
        body = pipelines.inside(subject, loop)
        copies = [one for one in body if one.kind == "copy" and one.detail.get("src_scope") == "global"]
        if (
            not copies
            or any(_ASYNC & set(one.lowered_to) for one in body)
            or not all(one.lowered_to for one in copies)
        ):
            continue
        reasons = [(copy, reason) for copy in copies if (reason := against_async(copy)) is not None]
        why = (
            f": {reasons[0][0].detail.get('src')} is copied through registers, because {reasons[0][1]}"
            if reasons
            else ""
        )
        yield Fault(
            f"no copy of this pipeline is asynchronous{why}",
            loop.line or 0,
            name="num_stages",
            help="copy to shared memory without a cast, in rows of a multiple of 16 bytes",
            related=tuple((copy.line or 0, f"not asynchronous: {reason}") for copy, reason in reasons),
        )
