"""TS207: the grid is larger than the target allows."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import limits_of
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .launched import BY_DEFAULT, architecture_text

RULE = Rule(
    code="TS207",
    name="grid-limit",
    severity="error",
    summary="The grid has more blocks along an axis than the target allows",
    doc="""\
The compiler lowers such a kernel without a word; the launch fails on the machine. The first extent of `T.Kernel` is
the x axis, the next are y and z, which on NVIDIA GPUs may have far fewer blocks.
""",
    example="""\
with T.Kernel(heads, T.ceildiv(tokens, 16), threads=128) as (bh, bt):
""",
    why="""\
With 2097152 tokens the y axis has 131072 blocks; NVIDIA GPUs launch 65535 along y and z, and 2147483647 along x.
[The limits of all targets](../limits.md).
""",
    fix="Make the largest extent the first one, or join two into one and divide the block's number in the kernel.",
)
_AXES = "xyz"


def check(subject: Subject) -> Iterator[Fault]:
    """Each axis of the grid against its limit."""
    launch, limits = subject.kernel.launch, limits_of(subject.architecture)
    if launch is None or launch.line is None or launch.grid is None or limits is None or limits.grid is None:
        return
    target = architecture_text(subject.architecture)
    optional = target in BY_DEFAULT
    for axis, count, most in zip(_AXES, launch.grid, limits.grid, strict=False):
        if isinstance(count, int) and count > most:
            yield Fault(
                f"the grid has {count} blocks along {axis}, and {target} allows {most}{' by default' * optional}",
                launch.line,
                name="Kernel",
                severity="warning" if optional else None,
                help="make it the first extent of T.Kernel, which may be largest" if axis != "x" else None,
            )
