"""TS329: a question about a run-time value is answered while the kernel is built."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.constructs import Construct, constructs
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS329",
    name="python-condition",
    severity="warning",
    summary="A question about a run-time value is answered while the kernel is built",
    doc="""\
`if`, `and`, `or`, `not` and comparisons work in a kernel. Three questions cannot become part of the program, since
Python answers them itself: `in`, `is`, and `match`. Asked of a block index, a loop variable or an element of a
buffer, they compare expressions, which are never the same as a number.
""",
    example="""\
for i, j in T.Parallel(64, 64):
    if i in (0, 63):
        f[i, j] = 0.0
""",
    why="""\
`i in (0, 63)` is False for every `i`, so that no border is cleared: the branch is not in the program at all. The
compiler says nothing.
""",
    fix="Compare: `i == 0 or i == 63` for `in`, `==` for `is`, `if` and `elif` for `match`.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Questions of Python's about values that are provably run-time ones."""
    for one in constructs(subject.text, subject.kernel.line):
        if one.kind not in ("membership", "identity", "match"):
            continue
        if one.kind == "match":
            said = f"match is decided while the kernel is built: no case but the last can be that of {one.subject}"
            instead = "write if and elif with comparisons"
        else:
            word = {"membership": ("in", "not in"), "identity": ("is", "is not")}[one.kind][one.negated]
            always = "True" if one.negated else "False"
            said = f"`{word}` is decided while the kernel is built: here it is {always} whatever {one.subject} is"
            instead = "compare with == instead" if one.kind == "identity" else "compare with each value instead"
        yield Fault(
            said,
            one.line,
            column=one.column,
            end_column=one.end_column,
            help=instead,
            fixes=_fixes(subject, one),
        )


def _fixes(subject: Subject, one: Construct) -> tuple[Fix, ...]:
    for node in ast.walk(subject.tree or ast.Module([], [])):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            continue
        edit = fixes.node_replaced(subject.text, node, "")
        if (edit["line"], edit["column"]) != (one.line, one.column) or edit["end_column"] != one.end_column:
            continue
        right = node.comparators[0]
        left, sign = ast.unparse(node.left), "!=" if one.negated else "=="
        left = left if isinstance(node.left, (ast.Name, ast.Subscript)) else f"({left})"
        if one.kind == "identity":
            text = f"{left} {sign} {ast.unparse(right)}"
        elif isinstance(right, (ast.Tuple, ast.List, ast.Set)) and right.elts:
            word = " and " if one.negated else " or "
            text = "(" + word.join(f"{left} {sign} {ast.unparse(value)}" for value in right.elts) + ")"
        else:
            continue
        return (fixes.fix("Compare instead", {**edit, "text": text}),)
    return ()
