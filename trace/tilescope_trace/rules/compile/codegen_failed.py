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
""",
    why="""\
There is no source, so the kernel cannot be built for this target. What was known of it before stays.
""",
    fix="""\
Try another architecture (`--target`) to see whether it is the target's limit. If it is, use another dtype or
operation than the one the message names.
""",
)
