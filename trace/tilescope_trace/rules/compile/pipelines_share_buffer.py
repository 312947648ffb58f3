"""TS144: two pipelined loops fill the same shared buffer."""

from __future__ import annotations

import ast
import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS144",
    name="pipelines-share-buffer",
    severity="error",
    summary="Two pipelined loops fill the same shared buffer",
    doc="""\
A pipeline keeps a copy of each buffer that its copies fill for every stage. On targets with TMA the first
`T.Pipelined` loop of a kernel gets its copies when warps are specialized, and a second loop over the same buffers
makes copies of the copies, for which there is no layout.
""",
    example="""\
for k in T.Pipelined(8, num_stages=3):
    T.copy(A[0, k * 32], A_s)
for k in T.Pipelined(8, num_stages=3):
    T.copy(B[0, k * 32], A_s)
""",
    why="""\
`A_s` of 64 × 32 becomes 3 × 64 × 32 for the first loop and 3 × 3 × 64 × 32 for the second. The kernel compiles for
sm_80, and for sm_90a without warp specialization.
""",
    fix="""\
Allocate buffers of its own for the second loop, or turn warp specialization off:
`pass_configs={"tl.disable_warp_specialized": True}`.
""",
)


def explain(case: Case) -> Wording | None:
    """The buffers that have the shape which the compiler has doubled, and the second loop."""
    found = case.find(r"InputShape\(\) = \((.*?)\) shape = \((.*?)\)")
    if found is None:
        return None
    before, after = (tuple(map(int, re.findall(r"\d+", text))) for text in found.groups())
    if len(before) < 2 or after != (before[0], *before):
        return None
    loops = _loops(case)
    kernel = case.kernel
    names = (
        [b.name for b in kernel.buffers if b.scope.startswith("shared") and b.shape == before[1:]] if kernel else []
    )
    if len(loops) < 2:
        return None
    named = " and ".join(names) or "a shared buffer"
    return Wording(
        f"{named} {'are' if len(names) > 1 else 'is'} filled by the T.Pipelined loops of lines {loops[0]} and"
        f" {loops[1]}: with warp specialization only one loop may pipeline a buffer",
        'allocate buffers of its own for the second loop, or give pass_configs={"tl.disable_warp_specialized": True}',
        "Pipelined",
        loops[1],
    )


def _loops(case: Case) -> list[int]:
    first = case.kernel.line if case.kernel is not None else 0
    kernel = next(
        (
            node
            for node in ast.walk(case.tree or ast.Module([], []))
            if isinstance(node, ast.FunctionDef) and node.lineno == first
        ),
        None,
    )
    return sorted(
        node.lineno
        for node in (ast.walk(kernel) if kernel is not None else ())
        if isinstance(node, ast.For)
        and isinstance(node.iter, ast.Call)
        and "Pipelined" in ast.unparse(node.iter.func)
    )
