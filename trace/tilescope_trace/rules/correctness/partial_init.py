"""TS305: more of a buffer is read than was ever written."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .wording import declared, located, span

RULE = Rule(
    code="TS305",
    name="partial-init",
    severity="warning",
    summary="More of a buffer is read than is written",
    doc="""\
Only a part of a tile is written before all of it is read: the rest is what its registers or its memory held
before. The compiler's own check is about buffers that nothing writes at all.
""",
    example="""\
for i in T.Parallel(96):
    f[i] = 2.0
for i in T.Parallel(192):
    B[i] = f[i] + 1.0
""",
    why="""\
96 of the 192 elements of `f` are written, and threads 96 … 191 store a number that was in their register by
chance.
""",
    fix="Let the loop that writes have the extent of the one that reads, or clear the buffer first.",
    ignore="Where what is read of the rest is thrown away, such as rows of a tile that are never stored.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Reads of an element that nothing before them has written, of buffers that are written in part."""
    told = set()
    faulty = (one for one in subject.kernel.accesses if one.initialised == "faulty")
    for access, line in located(one for one in faulty if one.witnesses["initialised"].detail["written"]):
        witness = access.witnesses["initialised"]
        if (line, access.buffer) in told:
            continue
        told.add((line, access.buffer))
        read, written = witness.detail["read"], witness.detail["written"]
        element = ", ".join(map(str, witness.detail["element"]))
        writes = [at for at in witness.detail.get("written_lines", ()) if isinstance(at, int)]
        yield Fault(
            f"{access.buffer} is read at {_box(read)}, {_size(read)} elements, but only {_box(written)}, "
            f"{_size(written)} elements, are written: {access.buffer}[{element}] is not initialised",
            line,
            name=access.buffer,
            operation=access.operation,
            column=access.column,
            end_column=access.end_column,
            help="write as much as is read, or clear the buffer first",
            related=(*((at, f"{access.buffer} is written here") for at in writes), *declared(subject, access)),
        )


def _box(axes: Any) -> str:
    spans = [span(first, last) for first, last in axes]
    return spans[0] if len(spans) == 1 else f"[{', '.join(spans)}]"


def _size(axes: Any) -> int:
    return math.prod(last - first + 1 for first, last in axes)
