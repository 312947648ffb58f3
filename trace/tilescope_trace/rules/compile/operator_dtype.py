"""TS139: an operator is used on a dtype that it is not made for."""

from __future__ import annotations

import re

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import line_text
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS139",
    name="operator-dtype",
    severity="error",
    summary="An operator is used on a dtype that it is not made for",
    doc="""\
On values of a kernel `//` and `%` are for integers, and `/` is for floating point: division of integers has to say
which way it rounds.
""",
    example="""\
f[i, j] = f[i, j] % 2.0  # T.fmod(f[i, j], 2.0)
row = i / 4  # i // 4
""",
    why="""\
For `i` = 7 `i / 4` could be 1 or 1.75, and for -7 it could be -1 or -2: the compiler does not choose. For `%` and
`//` on floating point it stops at a check of its own, `a.dtype().is_int()`, that does not name the operator.
""",
    fix="""\
`//` for integers, `T.fmod(a, b)` and `T.floor(a / b)` for floating point.
""",
)


def explain(case: Case) -> Wording | None:
    """The operator and what to use."""
    if case.find(r"supports multiple types of integer divisions") is not None:
        return Wording(
            "/ divides no integers in a kernel: it does not say which way to round",
            "use // instead",
            "/",
            fixes=_divided(case),
        )
    found = case.find(r"a\.dtype\(\)\.is_int\(\) \|\| a\.dtype\(\)\.is_uint\(\)\) is false: ([^\n]+)")
    if found is None:
        return None
    written = re.search(r"//|%", case.statement)
    if written is None:
        return Wording(f"{found[1]} is no integer, which this operator needs", "use T.fmod or T.floor")
    instead = {"//": "T.floor(a / b)", "%": "T.fmod(a, b)"}[written[0]]
    return Wording(
        f"{written[0]} is for integers, and {found[1]} is a floating-point value", f"use {instead}", written[0]
    )


def _divided(case: Case) -> tuple[Fix, ...]:
    """``//`` for the only ``/`` of a statement on one line."""
    if case.line is None or case.statement.count("/") != 1 or "\n" in case.statement:
        return ()
    column = line_text(case.text, case.line).index("/") + 1
    return (fixes.fix("Divide with //", fixes.replaced(case.line, column, column + 1, "//")),)
