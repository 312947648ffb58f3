"""TS205: every thread holds a whole fragment, in local memory."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .launched import architecture_text
from .room import is_in_every_thread, registers_of, room_of

RULE = Rule(
    code="TS205",
    name="private-fragment",
    severity="warning",
    summary="Every thread holds a whole fragment, too large for its registers",
    doc="""\
Layout inference spreads a fragment over the threads by the tile operations and `T.Parallel` loops that use it. A
fragment that only plain loops touch is not spread: each thread gets a copy of all elements, without a word. Beyond
the registers of a thread that copy is a private array in local memory, indexed at run time.
""",
    example="""\
f = T.alloc_fragment((64, 64), "float32")
for i in T.serial(64):
    for j in T.serial(64):
        f[i, j] = A[i, j]
""",
    why="""\
Each of 128 threads has all 4096 floats (16384 B of local memory) and does all the work of the block: 4096 loads per
thread in place of 32.
""",
    fix="""\
Use `T.Parallel` loops or `T.copy` on the fragment; take `T.alloc_local` where each thread is to have its own.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Fragments that are whole in every thread and do not fit there."""
    room = room_of(subject)
    for buffer in subject.kernel.buffers if room is not None else ():
        needed = registers_of(buffer)
        if needed is None or room is None or needed <= room.registers or buffer.line is None:
            continue
        if is_in_every_thread(buffer) and buffer.layout is not None:
            target = architecture_text(subject.kernel.target)
            yield Fault(
                f"each of {buffer.layout.threads} threads holds all of fragment {buffer.name}: {needed} registers per"
                f" thread, and a thread has at most {room.registers} on {target}{room.reason}; it is a private array"
                " in local memory",
                buffer.line,
                name=buffer.name,
                help="use it in T.Parallel or T.copy, which spread it over the threads, or take T.alloc_local",
            )
