"""TS142: return in a kernel."""

from __future__ import annotations

import ast

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS142",
    name="return-in-kernel",
    severity="error",
    summary="return in a kernel",
    doc="""\
A kernel's Python runs once, to build the program: a `return` ends the building, not a block of the running kernel.
""",
    example="""\
with T.Kernel(64, threads=128) as bx:
    if bx > n:
        return
    T.copy(A[bx, 0], tile)
""",
    why="""\
With the `return` the builder leaves the function before the kernel is complete. The compiler stops with "Cannot find
where to insert PrimFunc", which does not speak of a `return`.
""",
    fix="Put the rest under the opposite condition: `if bx <= n:`.",
)


def explain(case: Case) -> Wording | None:
    """The return statement."""
    if case.find(r"Cannot find where to insert PrimFunc") is None:
        return None
    line = _return_in(case)
    if line is None:
        return None
    return Wording(
        "return ends the building of the kernel, not a block that runs",
        "put what follows under the opposite condition",
        "return",
        line,
    )


def _return_in(case: Case) -> int | None:
    """The line of the first return in the kernel's own body."""
    first = case.kernel.line if case.kernel is not None else 0
    for node in ast.walk(case.tree or ast.Module([], [])):
        if isinstance(node, ast.FunctionDef) and node.lineno == first:
            inner = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
            return min((one.lineno for one in inner), default=None)
    return None
