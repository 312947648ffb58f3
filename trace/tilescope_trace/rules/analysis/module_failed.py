"""TS002: the module fails when it is executed."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS002",
    name="module-failed",
    severity="error",
    summary="The module raises when it is executed",
    doc="""\
To find its kernels the file is executed like any module, without its `if __name__ == "__main__":` part and
without what it does only for the effect (printing, launching, measuring), and that raised. The finding is at the
deepest line of the file on the way to the error. The statements after it are executed all the same: kernels that do
not need what failed keep their facts.

A package that is not installed in the interpreter tilescope uses (see `tilescope doctor`) does not end the
analysis: a stand-in without any content takes its place, and this finding says so as information. A kernel that
needs a value of it still fails. A module that this TileLang has under another name is a warning: the program would
stop there.
""",
    example="""\
import tilelang.languages as T
""",
)
