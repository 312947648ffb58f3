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
deepest line of the file on the way to the error.

A package that is not installed in the interpreter tilescope uses does not end the analysis: a stand-in without any
content takes its place, and this finding says so as information. A module that this TileLang has under another name
is a warning: the program would stop there.
""",
    example="""\
import tilelang.languages as T
""",
    why="""\
What the line would have defined is missing. The statements after it are executed all the same, so kernels that do
not need it keep their facts; in the example every kernel needs `T`, and fails at the first line that names it.
""",
    fix="""\
Mend the line: the module is called `tilelang.language`. A package goes into the interpreter that `tilescope doctor`
names. What needs a GPU, data or command-line arguments belongs under `if __name__ == "__main__":`.
""",
    ignore="""\
Where it is information: a package is missing that no kernel needs a value of. A kernel that needs one fails, and
says so itself.
""",
)
