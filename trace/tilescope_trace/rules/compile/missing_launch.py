"""TS129: the kernel never launches: it has no T.Kernel."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS129",
    name="missing-launch",
    severity="error",
    summary="The kernel never launches: it has no T.Kernel",
    doc="""\
What runs on the device stands inside `with T.Kernel(...)`: it gives the grid and the threads. Without it the
statements would run on the host, which cannot reach device memory.
""",
    example="""\
@T.prim_func
def main(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    for i in T.Parallel(128):
        B[i] = A[i]
""",
    why="""\
There is no grid and there are no threads to spread the 128 iterations over: all of it is host code, and `A` and `B`
are in device memory. The compiler says so near the end only, "Memory verification failed", without a line.
""",
    fix="""\
Put the statements into a launch: `with T.Kernel(1, threads=128) as bx:` around the loop, or
`T.Kernel(T.ceildiv(N, 128), threads=128)` and `bx * 128 + i` for a tensor of N elements.
""",
)


def explain(case: Case) -> Wording | None:
    """The buffers that are accessed outside of any launch."""
    found = re.findall(r"Variable `(\w+)` is directly accessed by host memory", case.said)
    if not found and case.find(r"Memory verification failed") is None:
        return None
    names = " and ".join(dict.fromkeys(reversed(found))) or "device memory"
    return Wording(
        f"{names} {'is' if len(found) == 1 else 'are'} accessed outside of a launch: no T.Kernel is around it",
        "put the statements inside: with T.Kernel(grid, threads=128) as bx:",
        whole_kernel=True,
    )
