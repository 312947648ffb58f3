"""TS212: the threads of a warp touch many more sectors of global memory than their bytes need."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

TIMES = 4
"""Sectors touched for each that is needed, from which on it is told."""
USED = 0.5
"""Share of the touched bytes that the warp comes back for within its loop, above which the cache makes up for it."""

RULE = Rule(
    code="TS212",
    name="uncoalesced-access",
    severity="info",
    summary="Threads of a warp access global memory far apart",
    doc="""\
Global memory moves in sectors of 32 bytes. Where neighbouring threads access neighbouring elements, a warp needs as
few of them as its bytes fill; where they are far apart, each thread moves a sector of its own for a few bytes.

It is told from four times the sectors that are needed, unless the warp asks for at least half of the touched bytes in
the innermost loop, because the cache holds them then. Sizes known at run time only are taken to keep rows aligned.
""",
    example="""\
with T.Kernel(M, threads=128) as bx:
    for i in T.Parallel(N):
        B[bx, i] = A[i, bx]
""",
    why="""\
Neighbouring threads read neighbouring rows of `A` (float32, 128 columns), 512 bytes apart: 32 sectors per load where
4 hold what the warp asks for. Seven of eight bytes moved are not used.
""",
    fix="""\
Let the last index of the tensor go with the innermost loop of `T.Parallel`. Where both sides of a transposition need
that, go through shared memory: copy a tile in, and read it the other way there.
""",
    ignore="""\
When the tensor is small (scales, a column of statistics) or its layout is given and no one else can use the rest.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Accesses that touch several times the sectors they need."""
    for access in subject.kernel.warp_accesses:
        touched, ideal, use = access.sectors, access.ideal_sectors, access.sector_use
        if access.space != "global" or access.line is None or not touched or not ideal or use is None:
            continue
        if touched < TIMES * ideal or use > USED:
            continue
        verb = {"read": "reads", "write": "writes", "atomic": "atomics"}[access.mode]
        apart = f": neighbouring threads are {access.stride_bytes} bytes apart" if access.stride_bytes else ""
        yield Fault(
            f"a warp's {verb} of {access.buffer} touch {touched} sectors of global memory where {ideal} would hold"
            f" the {access.bytes_per_thread} bytes per thread{apart}",
            access.line,
            name=access.buffer,
            help="let the last index go with the innermost loop, or go through shared memory",
        )
