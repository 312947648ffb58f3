"""TS103: code generation fails."""

from __future__ import annotations

import re

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

_WORDS = (
    (
        r"Downcast from (\w+\.\w+) to ir\.IntImm failed\.?",
        r"the code generator of {target} needs a constant here, and gets an expression that is known only at run time"
        r" (\1)",
    ),
    (
        r"Unresolved call ir\.Op\(.*?\bname=\"([^\"]+)\".*",
        r"the code generator of {target} has nothing for \1",
    ),
)


def told(text: str, target: str | None) -> str:
    """What the code generator of ``target`` says, in words that mean something to the author of a kernel where it is
    of a kind that is known; else as it is."""
    for pattern, words in _WORDS:
        if (found := re.fullmatch(pattern, text)) is not None:
            return found.expand(words).format(target=target or "the target")
    return text
