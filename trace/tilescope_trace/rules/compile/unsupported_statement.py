"""TS132: a statement of Python's has no meaning in a kernel."""

from __future__ import annotations

import ast

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS132",
    name="unsupported-statement",
    severity="error",
    summary="A statement of Python's has no meaning in a kernel",
    doc="""\
A kernel's body is rewritten to build IR. `for ... else`, `while ... else`, classes and similar statements have no
counterpart there.
""",
    example="""\
for i in T.serial(8):
    T.copy(A[i], tile)
else:
    T.clear(tile)
""",
    why="""\
A loop with `else` is refused when the module is imported: no kernel of the file is compiled, whether it has such a
loop or not. A class ends in a NameError about a name that is nowhere in the source.
""",
    fix="""\
Put the statements of the `else` behind the loop, `T.clear(tile)` without a condition: that is the same for a loop
without `break`. Define classes outside of the kernel; values that they had may be used in it as before.
""",
)


def explain(case: Case) -> Wording | None:
    """The statement."""
    found = case.find(r"name '_?(\w*?)__tb' is not defined")
    if found is not None:
        return Wording(
            f"a class{' (' + found[1] + ')' if found[1] else ''} cannot be defined inside a kernel",
            "define it outside of the kernel",
            found[1] or None,
        )
    if case.failure.exception not in ("NotImplementedError", "SyntaxError") or case.failure.phase == "syntax":
        return None
    found = case.find(r"(?i)(for|while)[ \w.]*\belse\b|\belse\b[ \w]*\b(for|while)\b")
    line = case.find(r"(?:line |:)(\d+)")
    if found is not None:
        return Wording(
            f"{(found[1] or found[2]).lower()} ... else has no meaning in a kernel",
            "put the statements of the else after the loop",
            line=_else_line(case, int(line[1]) if line else case.line),
        )
    return None


def _else_line(case: Case, near: int | None) -> int | None:
    """The line of the loop with an else that is at, or next before, ``near``."""
    if case.tree is None:
        return near
    loops = [n.lineno for n in ast.walk(case.tree) if isinstance(n, (ast.For, ast.While)) and n.orelse]
    before = [line for line in loops if near is None or line <= near]
    return max(before, default=min(loops, default=near))
