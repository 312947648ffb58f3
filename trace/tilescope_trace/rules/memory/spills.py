"""TS203: registers are spilled, or arrays of a thread live in local memory, as the assembler reports."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .launched import architecture_text

STACK_FLOOR = 128
"""Bytes of stack below which nothing is said: a few words of it are usual and cost little."""

RULE = Rule(
    code="TS203",
    name="spills",
    severity="warning",
    summary="The assembler spills registers or keeps a thread's arrays in local memory",
    doc="""\
Known only where the generated source was compiled (`tilescope facts --device-compile`, with nvcc). Spills are
registers that are stored to local memory and loaded again; a stack of more than a few words holds arrays, such as
fragments, that did not fit into registers at all or are indexed by what is not constant.
""",
    example="""\
with T.Kernel(1, threads=64) as bx:
    f = T.alloc_fragment((64, 512), "float32")
    T.copy(A, f)
    for k in T.serial(100):
        for i, j in T.Parallel(64, 512):
            f[i, j] = f[i, j] * f[i, j] + 1.0
""",
    why="""\
Local memory is global memory behind L1: each access costs tens to hundreds of cycles in place of none. The fragment
of the example takes 512 registers per thread, and a thread has 255: on sm_90a, 5456 B are stored or loaded again and
again, in every round of the loop.
""",
    fix="""\
Give the block more threads, make the tile smaller, or keep fewer fragments alive at once. With `threads=256` the
example takes 138 registers and spills nothing; with 128 threads it still spills 224 B.
""",
    ignore="Where the spilled values are used outside the loops that take the time.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Spills first: with them a stack is no fact of its own."""
    launch = subject.kernel.launch
    if launch is None or launch.registers is None or launch.line is None:
        return
    spilled, stack = launch.spill_bytes or 0, launch.stack_bytes or 0
    target = architecture_text(subject.kernel.target)
    if spilled:
        said = f"{spilled} B of spills per thread on {target}: all {launch.registers} registers are in use"
    elif stack >= STACK_FLOOR:
        said = f"{stack} B of local memory per thread on {target}: arrays that are not in registers"
    else:
        return
    private = [b for b in subject.kernel.buffers if b.layout is not None and b.layout.registers_per_thread]
    private.sort(key=lambda buffer: -(buffer.layout.registers_per_thread or 0 if buffer.layout else 0))
    held = [f"{b.name} {b.layout.registers_per_thread}" for b in private[:3] if b.layout is not None]
    yield Fault(
        f"{said}; largest fragments (registers per thread): {', '.join(held)}" if held else said,
        launch.line,
        help="use more threads or smaller tiles, or keep fewer fragments alive at once",
        related=tuple((b.line, f"{b.name} is held in registers") for b in private[:3] if b.line is not None),
    )
