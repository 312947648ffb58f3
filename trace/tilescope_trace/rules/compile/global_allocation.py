"""TS148: a kernel allocates a buffer in global memory."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS148",
    name="global-allocation",
    severity="error",
    summary="A kernel allocates a buffer in global memory",
    doc="""\
Global memory belongs to the caller: a kernel on a GPU gets it as a tensor and cannot allocate any. `T.alloc_buffer`
without a scope does just that.
""",
    example="""\
A_s = T.alloc_buffer((128,), "float16")  # scope is "global" where none is given
""",
    why="""\
All passes lower such a buffer; the code generator stops at it, naming neither the buffer nor a line.
""",
    fix="""\
`T.alloc_shared` for what the threads of a block share, `T.alloc_fragment` for a tile in registers, `T.alloc_local`
for what each thread has of its own. Workspace that outlives a block is a tensor parameter of the kernel.
""",
)


def explain(case: Case) -> Wording | None:
    """The buffer."""
    if case.find(r"Cannot allocate global memory") is None:
        return None
    buffer = next(iter(case.failure.operands), None)
    told = f"{buffer.name} ({shape(buffer.shape)} {buffer.dtype})" if buffer else "a buffer"
    return Wording(
        f"{told} is allocated in global memory, which a kernel cannot do",
        "T.alloc_shared, T.alloc_fragment or T.alloc_local say where it is; workspace is a parameter",
        buffer.name if buffer else None,
    )
