"""TS124: a single element of a fragment is accessed by a constant index."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS124",
    name="fragment-index",
    severity="error",
    summary="A single element of a fragment is accessed by a constant index",
    doc="""\
The elements of a fragment are spread over the threads of a block, so an element has no place that every thread
can reach: `f[200] = 1.0` outside of a T.Parallel loop has no meaning (except index 0 of a fragment of one
element), and an index beyond the shape never has one.
""",
    example="""\
f = T.alloc_fragment((128,), "float32")
f[200] = 1.0
""",
    why="""\
`f` has 128 elements, so that there is no element 200. Even `f[5]` is in a register of the threads that hold it, and
all threads execute the statement. Layout inference stops without a line.
""",
    fix="""\
Access fragments by the variables of a `T.Parallel`: `for i in T.Parallel(128):`, in it `if i == 5:` and `f[i] = 1.0`.
Or keep the values in shared memory, `T.alloc_shared((128,), "float32")`, where every thread can reach each of them.
""",
)


def explain(case: Case) -> Wording | None:
    """The fragment and the index."""
    found = case.find(r"Fragment buffer access with non-zero index \[(.*?)\]")
    if found is None:
        return None
    named = re.search(rf"(\w+)\s*\[[^\[\]]*\b{re.escape(found[1])}\b", case.statement)
    name = named[1] if named else None
    if case.find(r"within T\.Parallel loop") is not None:
        return Wording(
            f"{name or 'a fragment'} is indexed by the constant {found[1]} in T.Parallel: only loop variables and 0"
            " choose elements of a fragment there",
            "loop over the elements that are meant, or keep the values in shared memory (T.alloc_shared)",
            name,
        )
    return Wording(
        f"{name or 'a fragment'}[{found[1]}]: one element of a fragment is not accessible outside of T.Parallel",
        "access it inside T.Parallel, or keep the values in shared memory (T.alloc_shared)",
        name,
    )
