"""TS128: a Python variable is changed in a loop of the kernel."""

from __future__ import annotations

import ast
import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS128",
    name="mutated-scalar",
    severity="error",
    summary="A Python variable is changed in a loop of the kernel",
    doc="""\
Python runs the body of a kernel's loop once, to build it. `total += A[i]` therefore makes `total` the expression
`0.0 + A[i]` of the loop's only pass, and `i` has no value after the loop.

The same failure has another cause in `T.Pipelined` with stages: what is assigned under a condition in its loop
(`if i >= 0: block = table[i]`) may have no value in the stage that the pipeline moves its use to.
""",
    example="""\
total = 0.0
for i in T.serial(128):
    total += A[i]
B[0] = total
""",
    why="""\
Of the 128 elements none is added up: `total` is an expression with `i` in it, and `B[0]` would store that where there
is no `i`. The compiler finds out in one of the last passes, "variables (i,) are used, but are not passed in as API
arguments", without a line.
""",
    fix="""\
Keep the sum in a variable of the kernel: `total = T.alloc_var("float32", init=0.0)` in front of the loop, the rest as
it is; or in an element of a `T.alloc_local` buffer, or in a fragment with `T.reduce_sum`.

In a pipeline write the expression where it is used, `table[i]` for `block`, or give `num_stages=0`.
""",
)


def explain(case: Case) -> Wording | None:
    """The loop variable that escapes, and the Python variable that carries it out."""
    found = case.find(r"variables \((.*?)\) are used, but are not passed in as API arguments")
    if found is None:
        return None
    variable = next((part.strip() for part in found[1].split(",") if part.strip()), "")
    carrier = _carrier(case, variable)
    if carrier is None and (line := _assigned(case, variable)) is not None:
        return Wording(
            f"{variable} (line {line}) has no value where the compiler has moved this use of it: a pipeline can"
            " lose what is assigned under a condition in its loop",
            f"write what {variable} stands for in its place, or give the pipeline num_stages=0",
            variable,
        )
    if carrier is None:
        return Wording(
            f"the loop variable {variable} is used where it has no value: outside of its loop",
            "use it inside the loop only",
            variable,
        )
    name, line = carrier
    return Wording(
        f"{name} is a Python variable: changed in the loop over {variable}, it does not add up when the kernel runs",
        f"keep it in the kernel: {name} = T.alloc_var(...), or an element of a T.alloc_local buffer",
        name,
        line=line,
    )


def _assigned(case: Case, variable: str) -> int | None:
    """The line of the assignment that gives ``variable`` its value, None for what is a loop's variable."""
    nodes = list(ast.walk(case.tree)) if case.tree is not None else []
    loops = (name for node in nodes if isinstance(node, ast.For) for name in ast.walk(node.target))
    if any(isinstance(name, ast.Name) and name.id == variable for name in loops):
        return None
    lines = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == variable for target in node.targets)
        and node.lineno <= (case.line or node.lineno)
    ]
    return max(lines, default=None)


def _carrier(case: Case, variable: str) -> tuple[str, int] | None:
    """(name, line) of the assignment in a loop over ``variable`` whose value the located line uses."""
    if case.tree is None:
        return None
    used = set(re.findall(r"[A-Za-z_]\w*", case.statement))
    found: list[tuple[str, int]] = []
    for loop in (node for node in ast.walk(case.tree) if isinstance(node, ast.For)):
        targets = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        if variable not in targets:
            continue
        for node in ast.walk(loop):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.append((node.target.id, node.lineno))
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found.append((node.targets[0].id, node.lineno))
    at = case.line or 0
    near = [(name, line) for name, line in found if name in used and line <= at]
    return max(near, key=lambda one: one[1], default=None)
