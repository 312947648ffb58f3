"""TS146: a pipelined loop inside T.Parallel."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import enclosing_loop
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS146",
    name="pipeline-in-parallel",
    severity="error",
    summary="A T.Pipelined loop stands inside T.Parallel",
    doc="""\
The stages of `T.Pipelined` are copies and arithmetic of the whole block, one behind the other. The body of
`T.Parallel` is executed per element, each by one thread, which has no such stages.
""",
    example="""\
for i in T.Parallel(128):
    for k in T.Pipelined(K, num_stages=2):
        acc[i] += A[i, k]
""",
    why="""\
Each of the 128 elements belongs to one thread that goes through its own K steps: there is no copy of a tile which the
block could start two steps ahead. The compiler refuses the loop before it lowers anything, and names no line.
""",
    fix="""\
Make the inner loop `T.serial`, or put the `T.Pipelined` outside: there, `T.copy` a tile in each iteration and go over
its elements with `T.Parallel`.
""",
)


def explain(case: Case) -> Wording | None:
    """The pipelined loop."""
    if case.find(r"Pipelined loop cannot be nested inside a parallel loop") is None:
        return None
    return Wording(
        "this T.Pipelined loop is inside of T.Parallel, whose body is executed per element and has no stages",
        "use T.serial for the inner loop, or make T.Pipelined the outer one",
        "Pipelined",
        enclosing_loop(case.tree, case.line, "Pipelined"),
    )
