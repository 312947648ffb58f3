"""TS308: a slice given to T.fill or T.clear runs over the end of its buffer."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .out_of_bounds import consequence
from .wording import declared, element, located

RULE = Rule(
    code="TS308",
    name="fill-slice",
    severity="warning",
    summary="T.fill or T.clear of a slice that runs over the end of its buffer",
    doc="""\
The compiler checks that a slice is no longer than its buffer and begins inside it, but not that it ends there.
""",
    example="""\
s = T.alloc_shared((8,), "int32")
T.fill(s[6:12], 7)
""",
    why="""\
The slice has 6 elements from 6 on, `s` has 8: elements 8 … 11 are stored to shared memory that belongs to
another buffer, or to none.
""",
    fix="End the slice at the extent of the buffer: `s[6:8]`.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Fills that are proved to leave their buffer."""
    faulty = (one for one in subject.kernel.accesses if one.bounds == "faulty" and one.operation == "fill")
    for access, line in located(faulty):
        witness = access.witnesses["bounds"]
        extent, last = witness.extent or 0, witness.detail.get("last", witness.index)
        yield Fault(
            f"{element(access)} runs over the end of {access.buffer}, which has {extent} elements on axis "
            f"{witness.dimension}: indices {extent} … {last} are outside; {consequence(access, witness)}",
            line,
            name=access.buffer,
            operation="fill",
            column=access.column,
            end_column=access.end_column,
            help=f"end the slice at {extent}",
            related=declared(subject, access),
        )
