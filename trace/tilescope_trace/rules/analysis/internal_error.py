"""TS009: tilescope itself fails on a file."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding

RULE = Rule(
    code="TS009",
    name="internal-error",
    severity="error",
    summary="tilescope itself failed on this file",
    doc="""\
An error in tilescope, not in the file. `tilescope lint` goes on with the other files.
""",
    why="""\
Nothing is known about the kernels of this file: that there are no other findings in it does not mean that nothing is
wrong.
""",
    fix="""\
Please report it, with the file where you can; `TILESCOPE_DEBUG=1 tilescope facts FILE` shows where it is. Until it is
mended, `exclude` in the [configuration](../configuration.md) leaves the file out.
""",
)


def finding(file: str, error: BaseException) -> Finding:
    """The finding for what was raised while ``file`` was checked."""
    told = f"tilescope failed on this file: {type(error).__name__}: {str(error).strip()[:200]}".rstrip(": ")
    return Finding(
        RULE.code, RULE.severity, file, 1, 1, 1, 2, told, help="this is a bug in tilescope; please report it"
    )
