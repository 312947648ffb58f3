"""TS330: try in a kernel catches what goes wrong while it is built."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.constructs import constructs

RULE = Rule(
    code="TS330",
    name="python-try",
    severity="warning",
    summary="try in a kernel catches what goes wrong while it is built",
    doc="""\
A kernel's Python runs once, to build the program; there are no exceptions in the running kernel. A `try` around
statements of the tile language can only catch mistakes in the kernel itself, and hides them.
""",
    example="""\
try:
    f[i, j, 0] = 1.0  # one index too many
except Exception:
    f[i, j] = 2.0
""",
    why="""\
The statement with the mistake is left out of the program and the handler's is put in: every element becomes 2.0,
without a word from the compiler.
""",
    fix="Take the statements out of the `try`; for a case that differs at run time use `if`.",
    ignore="""\
When a kernel is built in different ways for different versions of TileLang, and the handler is one of them.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """A ``try`` with statements of the tile language in it."""
    for one in constructs(subject.text, subject.kernel.line):
        if one.kind == "try":
            yield Fault(
                "try catches mistakes made while the kernel is built, and leaves out what follows them;"
                " it does nothing when the kernel runs",
                one.line,
                column=one.column,
                end_column=one.end_column,
                help="take the statements out of the try",
            )
