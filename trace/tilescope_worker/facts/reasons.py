"""Claims on layouts in words: clauses that go on after "because"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .ir import Location, buffer_location, is_user_file, line_in
from .operands import Demand
from .order import Claim
from .participants import Participant, Participants, Storage

_READ_ROLES = ("A", "B")


@dataclass(frozen=True, eq=False)
class Context:
    """What wording needs: the kernel's own file, the operations, the claims that stand, what matrix operations asked
    for, by the index of the operation, and the operations where layouts of others met, in that order."""

    path: str
    found: Participants
    claims: Mapping[Storage, Claim]
    demands: Mapping[int, Demand]
    meetings: tuple[Participant, ...] = ()

    def name(self, storage: Storage) -> str:
        """A buffer as its author knows it."""
        buffer = self.found.buffers[storage]
        where = buffer_location(buffer)
        if where is not None and not is_user_file(where.file):
            return "a temporary of TileLang's"
        return str(buffer.name)

    def at(self, where: Location | None) -> str:
        """``on line 25``, ``on line 3 of helpers.py``, or nothing."""
        if where is None or not is_user_file(where.file):
            return ""
        line = line_in(self.path, where)
        return f" on line {line}" if line is not None else f" on line {where.line} of {Path(where.file).name}"

    def operation(self, by: Participant) -> str:
        """``T.gemm on line 25``."""
        return by.title + self.at(by.where)


def line_of(claim: Claim, context: Context) -> int | None:
    """The line of the operation in the kernel's own file."""
    if claim.how == "floating":
        return line_in(context.path, context.found.floating.get(claim.storage))
    return line_in(context.path, claim.by.where) if claim.by is not None else None


def reason(claim: Claim, context: Context) -> str | None:
    """Why the layout is as it is; None for claims of the front end, which are worded where they are found."""
    if claim.how == "floating":
        place = context.at(context.found.floating.get(claim.storage)).replace(" on ", ", on ", 1)
        return f"it is used outside of tile operations{place}, so every thread holds all of it"
    if claim.how == "never-updated":
        return "nothing updates this reducer, so every thread holds all of it"
    if claim.by is None:
        return None
    operation = context.operation(claim.by)
    text = _by_operation(claim, claim.by, operation, context)
    if text is None or claim.sure or claim.how == "free":
        return text
    return f"{text} (likely: other operations could have decided first)"


def _by_operation(claim: Claim, by: Participant, operation: str, context: Context) -> str | None:
    if claim.how == "operand":
        return operand(by, claim.storage, context)
    if claim.how == "follows" and claim.source is not None:
        return f"{operation} lays it out to match {_source(claim.source, context)}"
    if claim.how == "reduced" and claim.source is not None:
        along = f" along dimension {by.dimension}" if by.dimension is not None else ""
        return f"{operation} reduces {_source(claim.source, context)}{along}"
    if claim.how == "finalized" and claim.source is not None:
        return f"{operation} leaves it as the reducer {context.name(claim.source)} is laid out"
    if claim.how == "free":
        return _free(claim, operation, context)
    return {
        "element": f"{operation} uses nothing of it but element 0, so every thread holds a copy",
        "linear": f"{operation} needs it row-major",
        "loop-layout": f"{operation} has an explicit loop_layout",
        "updated": f"{operation} adds to it",
        "l1-default": f"{operation} puts it into L1 and nothing asks for another order than K-major",
        "l0-default": f"{operation} puts it into L0 and nothing asks for another order than K-major",
    }.get(claim.how)


def operand(by: Participant, storage: Storage, context: Context) -> str:
    """``T.gemm on line 25 reads it as operand A (wgmma)``."""
    demand = context.demands[by.index]
    role = demand.operands[storage].role
    verb = "reads it as" if role in _READ_ROLES else "accumulates into it as" if role == "C" else "takes it as"
    instruction = f" ({demand.instruction})" if demand.instruction else ""
    return f"{context.operation(by)} {verb} {f'operand {role}' if role else 'an operand'}{instruction}"


def merged(operations: list[Participant], context: Context) -> str:
    """For shared memory that several matrix operations want swizzled in different ways."""
    titles = " and ".join(dict.fromkeys(context.operation(one) for one in operations))
    return f"{titles} ask for different swizzles, and the narrower one serves both"


def _source(storage: Storage, context: Context) -> str:
    """``acc_s``, with who fixed that where the chain of layouts begins elsewhere."""
    name = context.name(storage)
    claim = context.claims.get(storage)
    seen = set()
    while claim is not None and claim.source is not None and claim.storage not in seen:
        seen.add(claim.storage)
        claim = context.claims.get(claim.source)
    if claim is not None and claim.how == "annotated":
        return f"{name} (as annotated)"
    if claim is None or claim.by is None or claim.how not in ("operand", "free"):
        return name
    origin = (
        "" if claim.storage is storage or claim.storage.same_as(storage) else f"{context.name(claim.storage)} of "
    )
    return f"{name} (from {origin}{context.operation(claim.by)})"


def _free(claim: Claim, operation: str, context: Context) -> str:
    nothing = "no operation demands a layout for it"
    lines = list(dict.fromkeys(context.operation(one) for one in claim.beside))
    if len(lines) > 1 and not claim.sure:
        return f"{nothing}; the cheapest that suits {_joined(lines)}, most likely that of {operation}"
    if claim.source is not None:
        return f"{nothing}; {operation} chooses one that goes with {context.name(claim.source)}"
    return f"{nothing}; {operation} spreads its elements over the threads"


def _joined(items: list[str]) -> str:
    shown = items if len(items) <= 3 else [*items[:2], f"{len(items) - 2} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
