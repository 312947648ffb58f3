"""TS204: a fragment needs more registers than a thread can have."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer, Severity

from .launched import architecture_text
from .room import is_in_every_thread, registers_of, room_of

TWICE = 2
"""Times the registers from which on it is a warning of any fragment. With less the compiler behind may keep only a
part of it alive, as it does of fragments that are copied in and used once. Measured with nvcc 13.0: 128 × 128 halves
over 32 threads, 159 registers and no spills on sm_90a; 128 × 256 floats over 128 threads that come from tensor
memory, 215 and 233 registers and no spills on sm_100a."""

RULE = Rule(
    code="TS204",
    name="fragment-registers",
    severity="warning",
    summary="A fragment needs more registers than a thread can have",
    doc="""\
A fragment is spread over the threads of a block; each holds its part in registers. A thread has at most 255 of them
(NVIDIA), and fewer where a block has so many threads that all of them together would take more than an SM has: 168
with 384 threads, 128 with 512, 64 with 1024. What does not fit goes to local memory, silently.

It is a warning for accumulators of `T.gemm`, whose elements are all alive at once, and for fragments of twice the
registers; for others information: the compiler behind may keep a part of their elements only.

As information it is also said where no fragment is too large, but those that are alive at the same time are
together. The compiler behind may still find room (elements can die one by one): `tilescope facts --device-compile`
measures it.
""",
    example="""\
with T.Kernel(T.ceildiv(N, 512), T.ceildiv(M, 256), threads=128) as (bx, by):
    C_l = T.alloc_fragment((256, 512), "float32")
""",
    why="""\
131072 accumulators over 128 threads are 1024 registers per thread, and a thread has 255. Compiled for sm_80, the
kernel keeps 4224 B per thread in local memory: each step of the loop moves all accumulators from there and back.
""",
    fix="""\
Give the block more threads, or make the tile smaller: 128 × 128 over 128 threads takes 128 registers per thread.
""",
    ignore="""\
Where `tilescope facts --device-compile` reports no spills: what was measured counts more than the estimate.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Each fragment (or local array) that is too large alone; else all that are alive together."""
    launch, room = subject.kernel.launch, room_of(subject)
    if room is None or launch is None:
        return
    target = architecture_text(subject.kernel.target)
    alone = False
    for buffer in subject.kernel.buffers:
        needed = registers_of(buffer)
        if needed is None or needed <= room.registers or buffer.line is None:
            continue
        alone = True
        if is_in_every_thread(buffer):
            continue  # more threads would not help: a rule of its own
        yield Fault(
            f"{buffer.name} needs {needed} registers per thread{_spread(buffer)}, and a thread has at most"
            f" {room.registers} on {target}{room.reason}: the rest goes to local memory",
            buffer.line,
            name=buffer.name,
            severity=_severity(subject, buffer, needed, room.registers),
            help="use more threads or a smaller tile",
        )
    together = launch.fragment_registers
    if alone or launch.registers is not None or launch.line is None or together is None or together <= room.registers:
        return
    yield Fault(
        f"fragments and operands alive at once need {together} registers per thread, and a thread has at most"
        f" {room.registers} on {target}{room.reason}: {_held(subject.kernel.buffers)}",
        launch.line,
        severity="info",
        confidence="likely",
        help="measure with tilescope facts --device-compile; use more threads or smaller tiles",
    )


def _severity(subject: Subject, buffer: Buffer, needed: int, registers: int) -> Severity | None:
    """Information where the elements need not be alive at the same time."""
    whole = any(one.detail.get("C") == buffer.name for one in subject.operations("gemm"))
    return None if whole or needed >= TWICE * registers else "info"


def _spread(buffer: Buffer) -> str:
    shape = " × ".join(map(str, buffer.shape))
    threads = buffer.layout.threads if buffer.layout is not None else None
    over = f" over {threads} threads" if threads is not None else ""
    return f" ({shape} {buffer.dtype}{over})"


def _held(buffers: tuple[Buffer, ...]) -> str:
    sizes = [(needed, buffer.name) for buffer in buffers if (needed := registers_of(buffer))]
    return ", ".join(f"{name} {needed}" for needed, name in sorted(sizes, reverse=True)[:4])
