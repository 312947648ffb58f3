"""TS001: the file does not parse."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS001",
    name="syntax-error",
    severity="error",
    summary="The file is not valid Python",
    doc="""\
Python cannot parse the file, so nothing in it was compiled. Hints that need only the text (shapes, dtypes and
scopes as written) stay, for the part that can be understood.

Mend the line; everything else comes back by itself.
""",
    example="""\
with T.Kernel(8, threads=128) as bx
    T.clear(C_local)
""",
)
