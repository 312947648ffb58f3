"""TS206: a block has more threads than the target allows."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import limits_of
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .launched import BY_DEFAULT, architecture_text

RULE = Rule(
    code="TS206",
    name="thread-limit",
    severity="error",
    summary="A block has more threads than the target allows",
    doc="""\
The compiler lowers such a kernel without a word; the assembler or the launch refuses it on the machine. What counts
are the threads after warp specialization, which adds a group of producers.
""",
    example="""\
with T.Kernel(T.ceildiv(N, 2048), threads=2048) as bx:
""",
    why="""\
A block on every NVIDIA GPU has at most 1024 threads, and 2048 are asked for.
[The limits of all targets](../limits.md).
""",
    fix="""\
Use fewer threads: a `T.Parallel` loop over 2048 elements gives each of 1024 threads two. Where the threads of
producers are what is too many, write 128 threads less or turn warp specialization off.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Threads as lowered, or as written, against the limit."""
    launch, limits = subject.kernel.launch, limits_of(subject.architecture)
    if launch is None or launch.line is None or limits is None or limits.threads_per_block is None:
        return
    counts = [count for count in (launch.threads, launch.threads_lowered) if isinstance(count, int)]
    most = max(counts, default=0)
    if most <= limits.threads_per_block:
        return
    target = architecture_text(subject.architecture)
    added = f", {launch.threads} of them as written" if most != launch.threads else ""
    optional = target in BY_DEFAULT
    allowed = f"{limits.threads_per_block}{' by default' * optional}"
    yield Fault(
        f"a block has {most} threads{added}, and {target} allows {allowed}",
        launch.line,
        name="threads",
        severity="warning" if optional else None,
        help=f"use at most {limits.threads_per_block} threads",
    )
