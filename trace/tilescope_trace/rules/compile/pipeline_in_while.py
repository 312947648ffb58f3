"""TS141: a pipelined loop inside a while loop."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import enclosing_loop
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS141",
    name="pipeline-in-while",
    severity="error",
    summary="A T.Pipelined loop inside a while loop cannot be warp-specialized",
    doc="""\
For targets with TMA the compiler splits a pipelined loop into a producer and a consumer. It does not find its way
back to a loop that is inside of a `while`, and stops.
""",
    example="""\
while tile < tiles:
    for k in T.Pipelined(8, num_stages=2):
        T.copy(A[tile, k * 32], A_s)
""",
    why="""\
The same kernel compiles for sm_80, and for sm_90a without warp specialization.
""",
    fix="""\
Turn warp specialization off, `pass_configs={"tl.disable_warp_specialized": True}`, or make the outer loop a
`T.serial` or `T.Persistent`.
""",
)


def explain(case: Case) -> Wording | None:
    """The loop."""
    if case.find(r"ProducerConsumerWS: failed to replace pipeline loop") is None:
        return None
    return Wording(
        "this T.Pipelined loop is inside of a while loop, where the compiler cannot specialize warps",
        'turn it off: pass_configs={"tl.disable_warp_specialized": True}, or use a counted outer loop',
        "Pipelined",
        enclosing_loop(case.tree, case.line, "Pipelined"),
    )
