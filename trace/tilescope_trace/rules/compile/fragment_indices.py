"""TS133: a fragment is read at two different indices in one T.Parallel."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS133",
    name="fragment-indices",
    severity="error",
    summary="A fragment is read at two different indices in one T.Parallel",
    doc="""\
In a T.Parallel loop an iteration is executed by the thread that holds its elements. One fragment read as `f[i,
j]` and as `f[j, i]` would need two threads.
""",
    example="""\
for i, j in T.Parallel(64, 64):
    B[i, j] = f[i, j] + f[j, i]
""",
    why="""\
For 4032 of the 4096 iterations `f[i, j]` and `f[j, i]` are two elements, and an iteration has one thread. Layout
inference stops; the line it tells, if any, is that of the allocation.
""",
    fix="""\
Go through shared memory to read it the other way: `f_s = T.alloc_shared((64, 64), "float32")`, `T.copy(f, f_s)` in
front of the loop, and `f[i, j] + f_s[j, i]` in it.
""",
)


def explain(case: Case) -> Wording | None:
    """The fragment and both indices."""
    found = case.find(r"StructuralEqual[^\n]*indices[^\n]*: (\w+): \((.*?)\) and \((.*?)\)")
    if found is None:
        return None
    name, second, first = found.groups()
    return Wording(
        f"{name} is a fragment and is accessed as {name}[{first}] and as {name}[{second}] in one T.Parallel loop",
        f"copy {name} to shared memory and read one of them from there",
        name,
    )
