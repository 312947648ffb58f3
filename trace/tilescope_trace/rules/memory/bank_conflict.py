"""TS211: lanes of a warp need different words of one bank of shared memory."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer, Severity, WarpAccess

from .padding import padded

WARNED, TOLD = 8, 4
"""Ways from which on a conflict is a warning, and an information. Less is what layouts of matrix operands and
reductions often cost, and is in the facts."""

SWIZZLED = 16
"""Bytes that a swizzled layout keeps together."""

RULE = Rule(
    code="TS211",
    name="bank-conflict",
    severity="warning",
    summary="Threads of a warp access one bank of shared memory at different words",
    doc="""\
Shared memory has 32 banks of 4 bytes, and a bank gives one word at a time. Where threads of a warp that are served
together want different words of one bank, the access takes as many passes as there are words: *n*-way.

Conflicts from 8-way on are warnings where the kernel spends its time: in its loops, or anywhere if it has none (loops
that are unrolled do not count). Others from 4-way on are information; weaker ones are in `tilescope facts` only. Each
access is followed as the compiled kernel makes it: vector accesses in phases of 8 or 16 threads, `ldmatrix` and
`stmatrix` in rows of 16 bytes, guards, layouts and swizzles included. [Bank conflicts](../bank-conflicts.md) has the
model and how it compares with an H200.
""",
    example="""\
S = T.alloc_shared((32, 32), "float32")
for i, j in T.Parallel(32, 32):
    B[bx * 32 + i, by * 32 + j] = S[j, i]
""",
    why="""\
Neighbouring threads read a column: 128 bytes apart, all 32 in one bank. One load takes 32 passes through shared
memory instead of 1 (measured on an H200: 32.0 and, with rows of 33 elements, 1.0).
""",
    fix="""\
Make the rows longer, so that columns go through all banks: `T.alloc_shared((32, 33), "float32")`. Accesses of 16
bytes are as well served by a swizzle, `T.annotate_layout({S: tilelang.layout.make_swizzled_layout(S)})`, which needs
no more memory; of the columns in the example it leaves a 4-way conflict. Operands of `T.gemm` are swizzled by the
compiler unless a layout is annotated.
""",
    ignore="""\
When the time of the kernel goes elsewhere; or when rows cannot be longer, because shared memory is full or the other
access of the buffer would conflict instead.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """The accesses whose conflicts are known and strong."""
    has_loop = any(access.looped for access in subject.kernel.warp_accesses)
    for access in subject.kernel.warp_accesses:
        ways, phases, passes = access.ways, access.phases, access.wavefronts
        if access.space != "shared" or access.mode == "atomic" or access.line is None:
            continue
        if ways is None or ways < TOLD or phases is None or passes is None:
            continue
        buffer = subject.buffer(access.buffer)
        fix = padded(subject, buffer, access.padding)
        severity: Severity = "warning" if ways >= WARNED and (access.looped or not has_loop) else "info"
        yield Fault(
            f"a warp's {_name(access)} of {access.buffer} is a {ways}-way bank conflict: lanes {_lanes(access.lanes)}"
            f" touch words of one bank, {access.stride_bytes} bytes apart, so that it takes {passes} passes instead"
            f" of {phases}",
            access.line,
            name=access.buffer,
            help=_help(buffer, access),
            severity=severity,
            confidence="likely" if subject.kernel.target.startswith("hip") else "exact",
            related=((buffer.line, f"{buffer.name} is allocated here"),) if buffer and buffer.line else (),
            fixes=(fix,) if fix is not None else (),
        )


def _name(access: WarpAccess) -> str:
    if access.instruction in ("ldmatrix", "stmatrix", "cp_async"):
        return access.instruction
    verb = "read" if access.mode == "read" else "write"
    return verb if access.bytes_per_thread is None else f"{access.bytes_per_thread}-byte {verb}"


def _lanes(lanes: tuple[int, ...]) -> str:
    if len(lanes) <= 4:
        return f"{', '.join(map(str, lanes[:-1]))} and {lanes[-1]}"
    return f"{', '.join(map(str, lanes[:3]))} … {lanes[-1]}"


def _help(buffer: Buffer | None, access: WarpAccess) -> str:
    swizzle = f"T.annotate_layout({{{access.buffer}: tilelang.layout.make_swizzled_layout({access.buffer})}})"
    if access.padding is not None and buffer is not None and isinstance(buffer.shape[-1], int):
        rows = f"make the rows of {buffer.name} {buffer.shape[-1] + access.padding} elements long"
        if access.bytes_per_thread != SWIZZLED:
            return rows  # a swizzle moves 16 bytes together, and leaves narrow accesses some of their conflicts
        return f"{rows}, or swizzle them with {swizzle}"
    if access.instruction in ("ldmatrix", "stmatrix"):
        return f"leave the layout of {access.buffer} to the compiler, or annotate a swizzled one with {swizzle}"
    return f"choose another layout: longer rows, or {swizzle}"
