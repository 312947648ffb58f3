"""TS127: the condition of an if is a number, not a truth value."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS127",
    name="condition-not-boolean",
    severity="error",
    summary="The condition of an if is a number, not a truth value",
    doc="""\
In a kernel `if bx:` does not mean `if bx != 0:`; the condition has to be a comparison, and so have the operands of
`and`, `or` and `not`.
""",
    example="""\
if bx:  # if bx != 0:
    T.clear(tile)
""",
    why="""\
The kernel is built and lowered half-way before a pass stops at the condition with "Expected boolean argument" and the
dtype of `bx`, int32, without a line.
""",
    fix="""\
Write the comparison: `if bx != 0:`. In the same way `if bx != 0 and n != 0:` for `if bx and n:`, and `if bx == 0:`
for `if not bx:`.
""",
)


def explain(case: Case) -> Wording | None:
    """The condition, its dtype, and how to write it."""
    found = case.find(r"Expected boolean argument[^\n]*?but received (.+?) of type (\w+)")
    if found is None:
        return _operand(case)
    written = re.match(r"\s*(?:el)?if\s+(.*?):", case.statement, re.DOTALL)
    condition = written[1] if written else found[1]
    return Wording(
        f"the condition {condition} is of type {found[2]}, but an if in a kernel needs a comparison",
        f"write {condition} != 0",
        condition,
    )


def _operand(case: Case) -> Wording | None:
    """A number as an operand of and, or, not."""
    if case.find(r"\(([ab])\.dtype\(\)\.is_bool\(\)\) is false") is None:
        return None
    word = re.search(r"\b(and|or|not)\b", case.statement)
    if word is None:
        return None
    return Wording(
        f"{word[1]} needs comparisons in a kernel, and one of its operands is a number",
        "write x != 0 for a number x, or T.if_then_else to choose between values",
        word[1],
    )
