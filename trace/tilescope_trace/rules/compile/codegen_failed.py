"""TS103: code generation fails."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS103",
    name="codegen-failed",
    severity="error",
    summary="The compiler cannot generate source for the target from the lowered kernel",
    doc="""\
All lowering passes ended, but the code generator of the target has no way to write some operation: often an
intrinsic or a dtype that this architecture does not have.

Try another architecture (`--target`) to see whether it is the target's limit.
""",
)
