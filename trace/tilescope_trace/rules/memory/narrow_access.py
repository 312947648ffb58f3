"""TS213: threads access neighbouring elements of global memory one or two bytes at a time."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

WORD = 4

RULE = Rule(
    code="TS213",
    name="narrow-access",
    severity="info",
    summary="Threads access global memory in less than four bytes",
    doc="""\
A thread moves up to 16 bytes of global memory with one instruction. The compiler makes vectors of neighbouring
elements where it can prove that they begin aligned and end inside; else a thread moves one element at a time. It is
told of accesses side by side of less than 4 bytes that a thread repeats: they take at least twice the instructions.
""",
    example="""\
M, N = T.dynamic("M, N")
...
T.copy(A[bx * 64, by * 64], S)  # A: T.Tensor((M, N), "float16")
""",
    why="""\
With `N` known at run time only, a row of `A` may begin anywhere. 128 threads copy 64 × 64 halves in 32 loads of 2
bytes each; with `N = 1024` it is 4 loads of 16 bytes.
""",
    fix="""\
Make the last dimension a constant that is a multiple of 8 elements, or pad the tensor to one.
""",
    ignore="""\
When the rows really have odd lengths, or the access is a small part of what the kernel moves.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Narrow accesses side by side that each thread repeats."""
    for access in subject.kernel.warp_accesses:
        width, repeats = access.bytes_per_thread, access.repeats
        if access.space != "global" or access.mode == "atomic" or access.line is None:
            continue
        if width is None or width >= WORD or repeats is None or repeats < WORD // width:
            continue
        if access.stride_bytes != width or access.sector_use is None or access.sector_use < 1:
            continue
        verb = "reads" if access.mode == "read" else "writes"
        yield Fault(
            f"each thread {verb} {access.buffer} {width} byte{'s' if width > 1 else ''} at a time, {repeats} times,"
            f" though its neighbours' elements lie beside{_why(subject, access.buffer)}",
            access.line,
            name=access.buffer,
            help="let the compiler know that rows begin aligned: a constant last dimension, a multiple of 8 elements",
            confidence="likely",
        )


def _why(subject: Subject, name: str) -> str:
    buffer = subject.buffer(name)
    if buffer is None or not buffer.shape or isinstance(buffer.shape[-1], int):
        return ""
    return f": {buffer.shape[-1]}, the length of a row, is known at run time only"
