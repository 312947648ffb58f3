"""TS117: a Python function or operator is used on a value known only at run time."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS117",
    name="python-builtin-on-expr",
    severity="error",
    summary="A Python function or operator is used on a value known only at run time",
    doc="""\
A kernel's values exist only when it runs; Python's `max`, `min`, `and`, `or`, `not`, `int`, `bool` and chained
comparisons ask for them while it is built.
""",
    example="""\
C[i] = max(A[i], 0.0)  # T.max(A[i], 0.0)
""",
    why="""\
`max` asks which of `A[i]` and 0.0 is greater, while `A` has no numbers yet. There is no answer, and the kernel is
not built.
""",
    fix="""\
Use what `T` has for it, here `T.max(A[i], 0.0)`: `T.max`, `T.min`, `T.And`, `T.Or`, `T.Not`, `T.if_then_else`,
`T.cast`.
""",
)


def explain(case: Case) -> Wording | None:
    """Which function or operator of Python's, and what `T` has instead."""
    power = case.find(r"unsupported operand type\(s\) for \*\* or pow\(\)")
    if power is not None:
        word = "**" if "**" in case.statement else "pow"
        return Wording(
            f"Python's {word} cannot work on values known only when the kernel runs; T.pow can", "use T.pow", word
        )
    if case.find(ASKED) is None:
        return None
    builtin = re.search(r"(?<![\w.])(max|min|int|float|bool|round|abs|sum|any|all|sorted)\s*\(", case.statement)
    if builtin is None:
        if case.find(r"Cannot use and / or") is None:
            return None
        return Wording(
            "Python's and, or, not and chained comparisons cannot work on values known only when the kernel runs",
            "use T.And, T.Or, T.Not (or &, |, ~), or T.if_then_else",
        )
    name = builtin[1]
    instead = INSTEAD.get(name, f"T.{name}")
    return Wording(
        f"Python's {name}() cannot work on values known only when the kernel runs; {instead} can",
        f"use {instead}",
        name,
    )


ASKED = (
    r"Cannot use and / or / not operator to Expr|cannot be interpreted as an integer"
    r"|\b(?:int|float|bool|round|abs)\(\) argument must be |bad operand type for abs\(\)"
    r"|type (?:BufferLoad|Var|PrimExpr) doesn't define __"
)
INSTEAD = {
    "int": "T.cast",
    "float": "T.cast",
    "bool": "T.cast",
    "sum": "T.reduce_sum",
    "any": "T.any_of",
    "all": "T.all_of",
    "sorted": "T.sort",
}
