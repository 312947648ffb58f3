"""TS005: the interpreter has no tilelang."""

from __future__ import annotations

from tilescope_trace.rules.place import first_line_span
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding

RULE = Rule(
    code="TS005",
    name="no-tilelang",
    severity="info",
    summary="The interpreter cannot import tilelang, so nothing was compiled",
    doc="""\
Kernels are compiled by the TileLang of your own project, in its own interpreter. The one that was chosen has
none, or cannot import it.
""",
    why="""\
Only facts that need no compiler are shown: no layouts, no memory, no generated source. Rules that read them find
nothing, so a file without further findings has not been checked: `tilescope lint` counts this as an error.
""",
    fix="""\
Choose another interpreter with `--python`, activate the environment that has tilelang, or install it: `pip install
'tilescope[tilelang]'`. `tilescope doctor` tells which interpreter is used and why.
""",
    ignore="""\
Where what the text says is enough; `tilescope lint --static` does not look for a compiler at all.
""",
)


def finding(interpreter: str, problem: str | None, text: str, file: str) -> Finding:
    """``problem`` is what the import said, None where tilelang is simply not installed."""
    span = first_line_span(text)
    return Finding(
        code=RULE.code,
        severity=RULE.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=f"only static facts: {interpreter} cannot import tilelang" + (f" ({problem})" if problem else ""),
        help="choose an interpreter that has it (--python), or install it: pip install 'tilescope[tilelang]'",
    )
