"""TS005: the interpreter has no tilelang."""

from __future__ import annotations

import re

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


_NOT_INSTALLED = re.compile(r"ModuleNotFoundError: No module named 'tilelang'")


def is_installed(problem: str | None) -> bool:
    """Whether what an import of tilelang said means that it is there, and broken."""
    return problem is not None and not _NOT_INSTALLED.match(problem)


def told(interpreter: str, problem: str | None) -> str:
    """What is wrong, in one line. ``problem`` is what the import said, None where nothing is known of it."""
    return f"{interpreter} cannot import tilelang" + (f" ({' '.join(problem.split())})" if problem else "")


def advice(problem: str | None) -> str:
    """What to do about it."""
    if is_installed(problem):
        return "mend that installation, or choose another interpreter with --python; tilescope doctor names it"
    return "choose an interpreter that has it (--python), or install it: pip install 'tilescope[tilelang]'"


def finding(interpreter: str, problem: str | None, text: str, file: str) -> Finding:
    """The finding on a file's first line; ``problem`` as in `told`."""
    span = first_line_span(text)
    return Finding(
        code=RULE.code,
        severity=RULE.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=f"only static facts: {told(interpreter, problem)}",
        help=advice(problem),
    )
