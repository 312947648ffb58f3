"""TS001: the file does not parse."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS001",
    name="syntax-error",
    severity="error",
    summary="The file is not valid Python",
    doc="""\
Python cannot parse the file. Hints that need only the text (shapes, dtypes and scopes as written) stay, for the part
that can be understood.
""",
    example="""\
with T.Kernel(8, threads=128) as bx
    T.clear(C_local)
""",
    why="""\
A file that does not parse cannot be executed, so none of its kernels is compiled, not even those above the line. In
the example one `:` is missing.
""",
    fix="""\
Mend the line, here `with T.Kernel(8, threads=128) as bx:`; everything else comes back by itself. Of a bracket or a
quote that is never closed Python may name a later line.
""",
)
