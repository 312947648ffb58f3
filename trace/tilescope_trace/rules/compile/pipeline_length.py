"""TS151: copies of a pipeline whose length is known only at run time cannot be awaited."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import enclosing_loop
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Operation

RULE = Rule(
    code="TS151",
    name="pipeline-length",
    severity="error",
    summary="A T.Pipelined loop with several stages runs a number of times that is known only at run time",
    doc="""\
The last iterations of a pipelined loop wait for fewer copies than the others: how many, the compiler writes as an
expression of the iteration. Where the number of iterations is known it unrolls these iterations, and each wait gets a
number. Where it is not, as in causal attention with `T.ceildiv((bx + 1) * block_M, block_N)`, they stay a loop, and
`cp.async.wait_group` takes constants only.
""",
    example="""\
for k in T.Pipelined(T.ceildiv((bx + 1) * block_M, block_N), num_stages=3):
    T.copy(K[k * block_N, 0], K_shared)
    ...
""",
    why="""\
All lowering passes end, and the code generator stops with "Downcast from tirx.Sub to ir.IntImm failed.", which names
neither the loop nor the wait.
""",
    fix="""\
Use fewer stages (`num_stages=1` always compiles, two do where all copies are awaited together), or loop as often as
the longest block needs and leave out what is not needed by a condition. Targets with TMA (`cuda:sm_90a`) wait at
barriers instead, and take such loops.
""",
)


def explain(case: Case) -> Wording | None:
    """The loop."""
    if case.failure.phase != "codegen" or case.find(r"Downcast from tirx\.\w+ to ir\.IntImm failed") is None:
        return None
    loops = {loop.line: loop for loop in case.kernel.operations if _of_unknown_length(loop)} if case.kernel else {}
    line = enclosing_loop(case.tree, case.line, "Pipelined")
    loop = loops.get(line) or (next(iter(loops.values())) if len(loops) == 1 else None)
    if loop is None:
        return None
    stages = loop.detail["num_stages"]
    return Wording(
        f"this T.Pipelined loop runs {loop.detail['extent']} times, known only at run time: with {stages} stages its"
        " last iterations wait for a number of copies that depends on the iteration, and cp.async can only wait for a"
        " constant",
        "use fewer stages (num_stages=1 always compiles), or a number of iterations that is known beforehand",
        "Pipelined",
        loop.line,
    )


def _of_unknown_length(loop: Operation) -> bool:
    stages = loop.detail.get("num_stages")
    return (
        loop.kind == "pipeline"
        and loop.line is not None
        and isinstance(loop.detail.get("extent"), str)
        and isinstance(stages, int)
        and stages > 1
    )
