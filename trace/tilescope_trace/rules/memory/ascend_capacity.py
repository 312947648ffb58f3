"""TS202: buffers take more of an Ascend core's memory than it has."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import limits_of
from tilescope_trace.limits.ascend import SIMT_CONTEXT
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer

from .launched import largest_first, size_text

SCOPES = {
    "ub": frozenset({"shared", "shared.dyn"}),
    "l1": frozenset({"shared.l1"}),
    "l0a": frozenset({"shared.l0a"}),
    "l0b": frozenset({"shared.l0b"}),
    "l0c": frozenset({"shared.l0c"}),
}
"""Scopes of the buffers in each memory."""

RULE = Rule(
    code="TS202",
    name="ascend-capacity",
    severity="error",
    summary="Buffers take more of UB, L1 or L0 than an Ascend core has",
    doc="""\
An Ascend core has small memories of fixed size: UB for vectors, L1 in front of the cube unit, L0A, L0B and L0C inside
it. The compiler stops only where its scheduler cannot place the buffers of a loop; other kernels it lowers to code
that writes beyond the memory. The total is what is left after buffers whose lives do not meet were merged.
""",
    example="""\
a = T.alloc_shared((32768,), "float32")
b = T.alloc_shared((32768,), "float32")
c = T.alloc_shared((32768,), "float32")
""",
    why="""\
Three buffers of 131072 B in UB make 393216 B, and UB of Ascend 950 has 253952 B (248 KiB); a kernel with `T.SimtVF`
has 32768 B less, which hold the contexts of its threads. [The limits of all targets](../limits.md).
""",
    fix="""\
Use smaller tiles, or fewer versions of a buffer. With blocks of 16384 elements the example takes 196608 B.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Each memory that more is taken of than there is."""
    launch = subject.kernel.launch
    limits = limits_of(subject.architecture)
    if launch is None or limits is None:
        return
    for use in launch.memory:
        limit = limits.spaces.get(use.space)
        if limit is None:
            continue
        if use.space == "ub" and launch.threads is not None:
            limit -= SIMT_CONTEXT
        buffers = largest_first(subject.kernel.buffers, SCOPES[use.space])
        if use.bytes > limit and buffers and buffers[0].line is not None:
            yield Fault(
                f"the kernel takes {use.bytes} B of {use.space.upper()}, which has {limit} B: {_parts(buffers)}",
                buffers[0].line,
                name=buffers[0].name,
                help="use smaller tiles or fewer stages",
                related=tuple((one.line, size_text(one)) for one in buffers[1:] if one.line is not None),
            )


def explain(case: Case) -> Wording | None:
    """The scheduler's refusal of a loop whose buffers do not fit."""
    found = case.find(r'scope "shared\.?(\w*)" capacity (\d+) is insufficient for minimum buffer usage (\d+)')
    if found is None:
        return None
    space = found[1] or "ub"
    buffers = largest_first(case.kernel.buffers, SCOPES.get(space, frozenset())) if case.kernel is not None else []
    parts = f": {_parts(buffers)}" if buffers else ""
    return Wording(
        f"a loop takes {found[3]} B of {space.upper()}, which has {found[2]} B{parts}",
        "use smaller tiles or fewer stages",
        buffers[0].name if buffers else None,
        line=buffers[0].line if buffers else None,
        whole_kernel=not buffers,
    )


def _parts(buffers: list[Buffer]) -> str:
    return ", ".join(map(size_text, buffers))
