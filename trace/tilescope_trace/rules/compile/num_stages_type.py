"""TS130: num_stages is not a whole number."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS130",
    name="num-stages-type",
    severity="error",
    summary="num_stages is not a whole number",
    doc="""\
`num_stages` of `T.Pipelined` is the number of tiles in flight: a Python int known when the kernel is built.
""",
    example="""\
for k in T.Pipelined(8, num_stages="2"):
    T.copy(A[k * 128], tile)
""",
    why="""\
The number of copies of `tile` depends on it: two stages of it are twice its memory, and `"2"` or 0.5 stages are none.
The compiler stops at the loop with a mismatched type, in a call of its own making that has the wrong line.
""",
    fix="""\
`num_stages=2`. Divide with `//` where it is computed, and convert what comes from a file or the command line with
`int()`.
""",
)


def explain(case: Case) -> Wording | None:
    """What it is given instead."""
    found = case.find(r"calling: `tl\.Pipelined\(.*?Expected `int` but got `(?:ffi\.)?(\w+)`")
    if found is None:
        return None
    kind = {"SmallStr": "a string", "Str": "a string", "float": "a float"}.get(found[1], found[1])
    written = re.search(r"num_stages\s*=\s*([^,)]+)", case.statement)
    value = f"{written[1].strip()} is {kind}" if written else f"is {kind}"
    return Wording(
        f"T.Pipelined: num_stages={value}, but has to be an int"
        if written
        else f"T.Pipelined: num_stages {value}, but has to be an int",
        "give a whole number, such as num_stages=2",
        "num_stages",
    )
