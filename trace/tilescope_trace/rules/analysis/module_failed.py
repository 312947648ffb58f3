"""TS002: the module fails when it is executed."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS002",
    name="module-failed",
    severity="error",
    summary="The module raises when it is executed",
    doc="""\
To find its kernels the file is executed like any module, without its `if __name__ == "__main__":` part, and
that raised. The finding is at the deepest line of the file on the way to the error.

Frequent causes: a package that is not installed in the interpreter tilescope uses (see `tilescope doctor`),
and work at module level that needs a GPU. Move such work into a function or under `if __name__ ==
"__main__":`.
""",
    example="""\
import tilelang.languages as T
""",
)
