"""TS321: num_stages of a pipeline has no meaning."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS321",
    name="num-stages",
    severity="warning",
    summary="num_stages of a T.Pipelined loop is negative",
    doc="""\
`num_stages` is the number of tiles that are in flight beside the one at work: 0 does not overlap copies with work, 2
or 3 is usual.
""",
    example="""\
for k in T.Pipelined(8, num_stages=-1):
    T.copy(A[by * 64, k * 32], A_s)
""",
    why="""\
The compiler says nothing and leaves the loop as it is: with `num_stages=-1` the copies of a 64 × 64 × 32 GEMM become
plain loads on sm_80 instead of 16-byte `cp.async`, and nothing overlaps.
""",
    fix="Give 0 for no pipeline, 1 or more for that many stages.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Pipelines whose author asked for fewer than no stages; to the compiler they are plain loops."""
    for loop in subject.operations("pipeline", "loop"):
        asked = loop.detail.get("num_stages")
        if isinstance(asked, int) and asked < 0 and loop.line is not None:
            yield Fault(
                f"num_stages={asked} has no meaning: the loop is not pipelined",
                loop.line,
                name="num_stages",
                help="give 0 for no pipeline, or the number of tiles in flight, such as num_stages=2",
                fixes=_fixes(subject, loop.line),
            )


def _fixes(subject: Subject, line: int) -> tuple[Fix, ...]:
    """2 stages, where the number stands in the call itself."""
    for call in fixes.calls(subject.tree, line, "Pipelined"):
        value = fixes.keyword(call, "num_stages")
        if value is not None and fixes.is_constant(value):
            return (fixes.fix("Pipeline with two stages", fixes.node_replaced(subject.text, value, "2")),)
    return ()
