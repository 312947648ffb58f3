"""TS004: the process that compiles ended before it was done."""

from __future__ import annotations

from tilescope_trace.rules.place import first_line_span, line_span, name_span
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding, Kernel

RULE = Rule(
    code="TS004",
    name="worker-ended",
    severity="error",
    summary="The compiling process took too long, grew too large, crashed or exited",
    doc="""\
The file is executed and compiled in a process of its own, with limits on time and memory. It ended early: the
message says how. What was known before it ended stays.

Frequent causes: a loop at module level or in a kernel's body that never ends, a very large array built on the
way, a call of `os._exit`, and (rarely) a crash in the compiler itself.
""",
    example="""\
while True:
    pass
""",
    why="""\
The loop of the example never ends: after 60 s without progress the process is stopped, and no kernel of the file is
compiled. A process that ends in one kernel costs the facts of that kernel only.
""",
    fix="""\
Put what runs long under `if __name__ == "__main__":`, which is not executed, or into a function. The next change of
the file starts a fresh process. Report a crash of the compiler to TileLang, with the kernel that causes it.
""",
)


def finding(
    reason: str, text: str, file: str, kernel: Kernel | None = None, line: int | None = None, output: str = ""
) -> Finding:
    """``reason`` completes "the compiling process ...": ``was stopped after 30 s``, ``exited with status 3``;
    ``line`` is where the process stood, ``output`` what it printed at the end."""
    if line is not None:
        span = line_span(text, line)
    else:
        span = first_line_span(text) if kernel is None else name_span(text, kernel.line, kernel.name)
    return Finding(
        code=RULE.code,
        severity=RULE.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=f"the compiling process {reason}",
        kernel=kernel.qualname if kernel else None,
        specialization=kernel.specialization.id if kernel else None,
        target=kernel.target if kernel else None,
        confidence="likely" if line is None else "exact",
        compiler=output or None,
    )
