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
`0.0 + A[i]` of the loop's only pass, and `i` has no value after the loop. Keep the sum in a variable of the kernel:
`T.alloc_var`, `T.alloc_local`, or a fragment.
""",
    example="""\
total = 0.0
for i in T.serial(128):
    total += A[i]
B[0] = total
""",
)


def explain(case: Case) -> Wording | None:
    """The loop variable that escapes, and the Python variable that carries it out."""
    found = case.find(r"variables \((.*?)\) are used, but are not passed in as API arguments")
    if found is None:
        return None
    variable = next((part.strip() for part in found[1].split(",") if part.strip()), "")
    carrier = _carrier(case, variable)
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
