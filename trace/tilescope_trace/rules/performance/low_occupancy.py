"""TS450: few warps fit on an SM, and the kernel waits for its loads."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import Limits, limits_of
from tilescope_trace.occupancy import is_bound, registers_known
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.memory.launched import architecture_text, largest_first, size_text, use_of
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Launch

LOW = 0.25
"""Share of an SM's warps under which an ordinary load is hardly hidden."""
ASYNCHRONOUS = frozenset({"tma_load", "tma_store", "cp_async", "wgmma", "tcgen05"})
"""A kernel with these overlaps memory and arithmetic by itself; few warps are its design."""
SYNCHRONOUS = frozenset({"vector_ld", "scalar"})

RULE = Rule(
    code="TS450",
    name="low-occupancy",
    severity="info",
    summary="Few warps fit on an SM, and nothing else hides the time of loads",
    doc="""\
Occupancy is the share of the warps that an SM can hold at once. It is computed from threads, shared memory and,
where the source was compiled (`tilescope facts --device-compile`), registers per thread. Before, it is an upper
bound: of registers it counts those that warps set for themselves (`setmaxnreg`), or the accumulators of a `T.gemm`.

Said only under 25 %, where shared memory or registers are what limits it, and only of kernels without asynchronous
copies, wgmma or tcgen05: those hide memory behind arithmetic and need few warps.
""",
    example="""\
with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
    S = T.alloc_shared((128, 128), "float32")
""",
    why="""\
A block takes 65536 B of shared memory, so that 2 of them fit on an SM of sm_80: 8 of 64 warps. While they wait for a
load there is little else to run.
""",
    fix="Use smaller tiles, or more threads for the same tile.",
    ignore="Where a measurement shows that the kernel is at the limit of memory bandwidth or arithmetic anyhow.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """A kernel of low occupancy that has ordinary loads from global memory."""
    launch = subject.kernel.launch
    limits = limits_of(subject.architecture)
    if launch is None or limits is None or launch.occupancy is None or launch.occupancy >= LOW:
        return
    if launch.occupancy_limiter not in ("shared memory", "registers") or not _waits_for_loads(subject):
        return
    line, name, reason = _reason(subject, launch, limits)
    if line is not None:
        bound = "at most " if is_bound(launch) else ""
        yield Fault(
            f"occupancy is {bound}{launch.occupancy:.0%} on {architecture_text(subject.kernel.target)}:"
            f" {launch.blocks_per_sm} blocks of {launch.threads_lowered} threads on an SM that holds"
            f" {limits.threads_per_sm}; {reason}",
            line,
            name=name,
            help="use smaller tiles, or more threads for the same tile",
        )


def _waits_for_loads(subject: Subject) -> bool:
    names = {name for operation in subject.kernel.operations for name in operation.lowered_to}
    loads = any(
        operation.detail.get("src_scope") == "global" and SYNCHRONOUS.intersection(operation.lowered_to)
        for operation in subject.operations("copy")
    )
    parallel = any(SYNCHRONOUS.intersection(operation.lowered_to) for operation in subject.operations("parallel"))
    return (loads or parallel) and not names & ASYNCHRONOUS


def _reason(subject: Subject, launch: Launch, limits: Limits) -> tuple[int | None, str | None, str]:
    """Line and word of what takes the resource, and how much of it that is."""
    use = use_of(launch, "shared")
    if launch.occupancy_limiter == "registers" or use is None:
        least = "" if launch.registers is not None else "at least "
        return launch.line, None, f"{least}{registers_known(subject.kernel, limits)} registers per thread limit it"
    reason = f"{use.bytes} B of shared memory per block limit it (an SM has {limits.shared_per_sm} B)"
    buffers = [one for one in largest_first(subject.kernel.buffers, frozenset({"shared", "shared.dyn"})) if one.line]
    if not buffers:
        return launch.line, None, reason
    return buffers[0].line, buffers[0].name, f"{reason}, {size_text(buffers[0])}"
