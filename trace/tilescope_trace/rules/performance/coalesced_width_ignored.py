"""TS406: a copy is narrower or wider than its coalesced_width."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS406",
    name="coalesced-width-ignored",
    severity="warning",
    summary="A copy does not have the coalesced_width that it asks for",
    doc="""\
`coalesced_width` of `T.copy` is the number of neighbouring elements that a thread moves at once. One access of a
thread has 16 bytes at most and the elements have to divide the innermost extent; what does not fit is cut down in
silence.
""",
    example="""\
A: T.Tensor((64, 64), "float32")
f = T.alloc_fragment((64, 64), "float32")
T.copy(A, f, coalesced_width=8)
""",
    why="""\
8 elements of float32 are 32 bytes. The copy becomes accesses of fewer elements; without `coalesced_width` it has 4,
the widest there is.
""",
    fix="Leave it out, or give a width of at most 16 bytes that divides the innermost extent.",
    ignore="Where the kernel is written for several dtypes and the width fits the others: the result is the same.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Copies whose width is known and is another than asked for."""
    for copy in subject.operations("copy"):
        asked, got = copy.detail.get("coalesced_width"), copy.detail.get("vector_elements")
        if isinstance(asked, int) and isinstance(got, int) and asked != got:
            size = copy.detail.get("vector_bytes")
            yield Fault(
                f"coalesced_width={asked} is not kept: this copy moves {got} elements ({size} bytes) at a time",
                copy.line or 0,
                name="coalesced_width",
                help="leave coalesced_width out: the compiler takes the widest access that fits",
            )
