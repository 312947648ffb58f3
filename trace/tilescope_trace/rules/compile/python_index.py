"""TS135: a Python list or tuple is indexed by a value known only at run time."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS135",
    name="python-index",
    severity="error",
    summary="A Python list or tuple is indexed by a value known only at run time",
    doc="""\
A Python list exists while the kernel is built, the index only when it runs.
""",
    example="""\
scales = [1.0, 2.0, 3.0, 4.0]
B[i] = A[i] * scales[bx]
""",
    why="""\
`bx` is an expression while the kernel is built, and has no number yet that could choose one of the four elements.
Python stops the building: "list indices must be integers or slices".
""",
    fix="""\
Pass the values as a tensor, `scales: T.Tensor((4,), "float32")`, and leave `scales[bx]` as it is. For few values
choose: `T.if_then_else(bx == 0, 1.0, T.if_then_else(bx == 1, 2.0, ...))`; where they follow a rule, compute them.
""",
)


def explain(case: Case) -> Wording | None:
    """The list and its index."""
    found = case.find(r"(list|tuple) indices must be integers or slices, not (\w+)")
    if found is None:
        return None
    name = _indexed(case)
    return Wording(
        f"{name or 'the'} {'is a Python ' if name else ''}{found[1]}: it cannot be indexed by a value known only when"
        " the kernel runs",
        "pass the values as a T.Tensor parameter, or choose with T.if_then_else",
        name,
    )


def _indexed(case: Case) -> str | None:
    """The indexed name at the columns that Python gives, or the only one on the line that is bound to a list."""
    bound = set(re.findall(r"^\s*(\w+)\s*(?::[^=\n]*)?=\s*(?:\[|\(|list\(|tuple\()", case.text, re.MULTILINE))
    names = [name for name in re.findall(r"(\w+)\s*\[", case.statement) if name in bound]
    return names[0] if names else None
