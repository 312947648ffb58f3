"""TS149: a statement of a kernel stands outside of one."""

from __future__ import annotations

import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS149",
    name="outside-kernel",
    severity="error",
    summary="A statement of a kernel stands outside of the kernel's function",
    doc="""\
Allocations, loops and tile operations build the kernel that is being traced. In the function around a `T.prim_func`
no kernel is being traced yet: there is nothing that they could be part of.
""",
    example="""\
@tilelang.jit
def copy(N):
    S = T.alloc_shared((N,), "float16")  # belongs into main, below T.Kernel

    @T.prim_func
    def main(A: T.Tensor((N,), "float16")): ...
""",
    why="""\
The compiler stops with "No builder in current scope", or with "'ForFrame' object is not iterable" for a loop.
""",
    fix="""\
Move the statement into the function with `@T.prim_func`, below `with T.Kernel(...)`. Code that several kernels share
is a `@T.macro`, called from there.
""",
)
_NO_KERNEL = r"No builder in current scope|'ForFrame' object is not iterable"


def explain(case: Case) -> Wording | None:
    """The statement."""
    if case.find(_NO_KERNEL) is None:
        return None
    called = re.search(r"\bT\.\w+(?=\s*\()", case.statement)
    return Wording(
        f"{called[0] if called else 'this'} stands outside of the kernel: no kernel is being traced here",
        "move it into the function with @T.prim_func, below T.Kernel; shared code is a @T.macro",
        called[0] if called else None,
    )
