"""TS309: a part of a tensor that the kernel writes is written nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer, Coverage

from . import grid_coverage, tail_not_covered
from .wording import given_values, span

RULE = Rule(
    code="TS309",
    name="part-not-written",
    severity="info",
    summary="A tensor is written to its end, but not at its beginning or in between",
    doc="""\
No block and no iteration has an index that falls on some rows or columns, whatever the conditions are: they keep what
was there before, which in a tensor made by `torch.empty` is anything. It is told of tensors that the kernel only
writes, with indices that are sums of block, thread and loop variables. A part that is left out at the end is told
where a division or the grid is what is at fault ([TS306](TS306.md), [TS307](TS307.md)): filling the front of a larger
tensor is common, and so is leaving out a border on both sides.
""",
    example="""\
for i, j in T.Parallel(64, 127):
    C[by * 64 + i, j + 1] = A[by * 64 + i, j]  # C is M × 128: column 0 stays as it was
""",
    why="""\
A shift by one, as in a causal convolution or a scan, needs its first element from somewhere. The compiler does not
know what the caller expects in it.
""",
    fix="Write the rest too, `C[by * 64 + i, 0] = 0`, or have the caller clear the tensor and pass it in.",
    ignore="Where another kernel writes the rest, or nobody reads it.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Boxes that no write of a tensor falls into, of tensors that are not read."""
    if not given_values(subject):
        return
    read = {access.buffer for access in subject.kernel.accesses if access.mode != "write"}
    others = {
        line
        for rule in (grid_coverage, tail_not_covered)
        for fault in rule.check(subject)
        for line in (fault.line, *(at for at, _ in fault.related))
    }
    for coverage in subject.kernel.coverage:
        buffer = subject.buffer(coverage.buffer)
        at = _axis(coverage, buffer) if buffer is not None else None
        if (
            buffer is None
            or at is None
            or coverage.line is None
            or coverage.buffer in read
            or coverage.line in others
        ):
            continue
        where = ", ".join(span(*coverage.missing[at]) if axis == at else ":" for axis in range(len(buffer.shape)))
        declared = f"{buffer.name} is {' × '.join(map(str, buffer.shape))} {buffer.dtype}, {buffer.scope}"
        yield Fault(
            f"{buffer.name}[{where}] is written nowhere in the kernel, and keeps what was there before",
            coverage.line,
            name=buffer.name,
            help="write it too, or have the caller clear the tensor",
            related=((buffer.line, declared),) if buffer.line is not None else (),
        )


def _axis(coverage: Coverage, buffer: Buffer) -> int | None:
    """The axis that is written to its end, but not at some indices before it; None without one."""
    if coverage.mode != "write" or coverage.verdict != "faulty" or len(coverage.missing) != len(buffer.shape):
        return None
    for at, ((first, last), extent) in enumerate(zip(coverage.missing, buffer.shape, strict=True)):
        if isinstance(extent, int) and (first, last) != (0, extent - 1):
            return at if last < extent - 1 else None
    return None
