"""TS301: an access leaves its buffer."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Access, Witness

from .wording import VERBS, declared, element, given_values, located, span

RULE = Rule(
    code="TS301",
    name="out-of-bounds",
    severity="warning",
    summary="An access is outside its buffer",
    doc="""\
An index runs over the end of its buffer, in a case that is named. The tail of a tensor is no such fault: the
compiler guards element accesses to global memory whose index is not constant, and every `T.copy`; what is
outside reads as zero and is not written. It is told where

- shared memory, a fragment or a local buffer is left, which nothing guards,
- a constant index, or any under `tl.disable_safe_memory_legalize`, leaves a tensor,
- a guarded access has nothing inside at all, or a constant offset alone takes it out, by a whole tile say.
""",
    example="""\
A: T.Tensor((64, 64), "float32")
...
for i, j in T.Parallel(64, 64):
    X[i, j] = A[i + 64, j]
""",
    why="""\
`A` has 64 rows and is read at 64 … 127. The guard is false for every row, so the compiler fills `X` with zeros
and drops `A` from the generated kernel, without a message. In shared memory the same write changes another
buffer's elements.
""",
    fix="Correct the index, or give the buffer or the loop the extent of the other.",
    ignore="Where the zeros outside are meant, as in a shifted read that is to be padded.",
)

_NEVER = {"read": "every element reads as zero", "write": "nothing is written", "atomic": "nothing is added"}
_MASKED = {
    "read": "what is outside reads as zero",
    "write": "what is outside is not written",
    "atomic": "what is outside is not added",
}


def check(subject: Subject) -> Iterator[Fault]:
    """Accesses that are proved to leave their buffer; slices given to T.fill have a rule of their own."""
    for access, line in located(one for one in subject.kernel.accesses if _is_fault(subject, one)):
        witness = access.witnesses["bounds"]
        if access.scope == "global" and not given_values(subject):
            continue
        yield Fault(
            message(access, witness),
            line,
            name=access.buffer,
            operation=access.operation,
            column=access.column,
            end_column=access.end_column,
            help="correct the index, or give the buffer or the loop the extent of the other",
            related=declared(subject, access),
        )


def _is_fault(subject: Subject, access: Access) -> bool:
    if access.operation == "fill":
        return False
    return access.bounds == "faulty" or (access.bounds == "masked" and _is_tile_late(subject, access))


def _is_tile_late(subject: Subject, access: Access) -> bool:
    """Whether a guarded access begins a whole tile behind the start of its tensor and ends one behind the end, and
    nothing else touches that start: its tiles are counted from one."""
    at = access.witnesses["bounds"].dimension or 0
    for coverage in subject.kernel.coverage:
        axes = coverage.detail.get("axes", ())
        if (coverage.buffer, coverage.mode) == (access.buffer, access.mode) and at < len(axes):
            axis = axes[at]
            tile = axis.get("tile", 0)
            return bool(tile > 1 and axis["first"] >= tile and axis["last"] + 1 - axis["extent"] >= tile)
    return False


def message(access: Access, witness: Witness) -> str:
    """What is accessed, how far it goes, and what becomes of it."""
    first, last = witness.detail.get("first"), witness.detail.get("last")
    extent = witness.extent
    said = f"{element(access)} {VERBS[access.mode]} "
    if isinstance(first, int) and isinstance(last, int) and last > first:
        said += f"{last - first + 1} elements of axis {witness.dimension}, {span(first, last)}"
    else:
        said += f"index {witness.index} of axis {witness.dimension}"
    said += f", but {access.buffer} has {extent} there"
    if witness.values and not witness.detail.get("never"):
        case = ", ".join(f"{name} = {value}" for name, value in witness.values.items())
        said += f" (index {witness.index} at {case})"
    return f"{said}: {consequence(access, witness)}"


def consequence(access: Access, witness: Witness) -> str:
    """What the compiler makes of it."""
    if witness.detail.get("never") and witness.detail.get("outside") == "masked":
        return f"nothing of it is inside, and behind the compiler's guard {_NEVER[access.mode]}"
    if witness.detail.get("outside") == "masked":
        return f"the compiler guards it, and {_MASKED[access.mode]}"
    if access.scope == "local.fragment":
        return "these elements are in no thread's registers, and the compiler drops or misplaces them silently"
    where = {"global": "memory beyond the tensor", "local": "registers beyond the array"}
    place = where.get(access.scope, "shared memory that is not its own")
    return f"nothing guards it, and it {'reads' if access.mode == 'read' else 'changes'} {place}"
