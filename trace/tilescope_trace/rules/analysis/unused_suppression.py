"""TS008: a comment suppresses nothing."""

from __future__ import annotations

from typing import Protocol

from tilescope_trace.rules.place import Where
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding

RULE = Rule(
    code="TS008",
    name="unused-suppression",
    severity="warning",
    summary="A `# tilescope: ignore` comment suppresses nothing",
    doc="""\
A comment `# tilescope: ignore[TS203] reason` keeps quiet about a finding of that code on its own line, or on the next
line of code where the comment stands alone; `# tilescope: ignore-file[TS203] reason` does so for the whole file.
This is told where everything was compiled, and of a comment that is not understood.
""",
    example="""\
T.clear(C_local)  # tilescope: ignore[TS203] nothing is wrong here
""",
    why="""\
There is no TS203 at `T.clear(C_local)`, or there is none any more. The comment would hide the next fault of its kind
on this line.
""",
    fix="""\
Remove the comment. One that is not understood names its codes in brackets: `ignore[TS203]`, `ignore[TS203, TS4]`.
""",
    tag="unnecessary",
    ignore="""\
When the finding comes with another target or another version of TileLang, which this run does not look at.
""",
)


class Comment(Where, Protocol):
    """The place of a comment, and the codes that it names."""

    @property
    def codes(self) -> tuple[str, ...]: ...


def finding(file: str, where: Comment, wrong: str | None) -> Finding:
    """The finding for a comment that was not needed, or that is not understood (``wrong`` says why)."""
    about = ", ".join(where.codes) or "any code"
    message = (
        f"this comment is not understood: {wrong}" if wrong else f"there is no finding of {about} to suppress here"
    )
    return Finding(
        RULE.code,
        RULE.severity,
        file,
        where.line,
        where.column,
        where.line,
        where.end_column,
        message,
        help="write it as `# tilescope: ignore[TS203] reason`" if wrong else "remove the comment",
    )
