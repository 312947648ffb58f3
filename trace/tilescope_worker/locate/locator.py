"""From a failed lowering to the statements at fault: by what the compiler says at once, by leaving out statements
where that does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilescope_worker.elaborate import Elaborated
from tilescope_worker.facts.buffers import allocations
from tilescope_worker.facts.decided import Conflict
from tilescope_worker.facts.ir import Location, buffer_location, location
from tilescope_worker.lowering import Lowered, lower
from tilescope_worker.observe import Observer, PassRun
from tilescope_worker.wire.facts import Place
from tilescope_worker.wire.messages import Failure

from . import candidates, suspects
from .candidates import Candidate
from .search import Budget, Outcome, narrow
from .without import without

_WHOLE_KERNEL = re.compile(r"Memory verification failed|Did you forget to bind")
"""Said of the launch, which is nowhere: no statement can be blamed."""


_IN_GLOBAL = re.compile(r"Cannot allocate global memory")
"""Said by code generators, which stop at the first buffer that a kernel allocates there, without its name."""

_NO_LAYOUT = re.compile(r"layout\b.*can ?not be inferred", re.IGNORECASE)
"""Said of a buffer itself: its allocation is the place."""


@dataclass(frozen=True)
class Located:
    """``failure`` with a place as good as is known; ``culprits`` are the statements at that place, ``open`` those
    that a search may narrow down."""

    failure: Failure
    culprits: tuple[Candidate, ...] = ()
    open: tuple[Candidate, ...] = ()


class _PastError(Exception):
    """The pass that failed has come to its end: there is no need to lower on."""


def at_once(failure: Failure, lowered: Lowered, made: Elaborated, conflict: Conflict | None) -> Located:
    """What the failure itself tells. Costs no lowering."""
    if _WHOLE_KERNEL.search(failure.text):
        return Located(failure)
    if _IN_GLOBAL.search(failure.text):
        return _at_allocation(failure, made, "global")
    known = candidates.read(made.func)
    if conflict is not None and conflict.at is not None:
        met = Location(conflict.at.file, conflict.at.line)
        return _at(failure, tuple(c for c in known if met in (c.where, *map(location, c.loops))), met)
    found = suspects.of_message(
        f"{failure.message}\n{failure.text}", known, operands=lowered.open_operation, frames=lowered.frames
    )
    if found.statements and (found.one or found.certain):
        where = found.statements[0].where
        return _at(failure, tuple(c for c in found.statements if c.where == where), where)
    if failure.line is not None and not found.named:
        users = _users_of_allocation(failure, known)
        if not users or _NO_LAYOUT.search(failure.text):
            return Located(failure)
        return Located(replace(failure, sure=False), open=users)
    return Located(replace(failure, file=None, line=None, sure=False), open=found.statements)


def search(
    located: Located, made: Elaborated, target: Any, failing: Sequence[PassRun], budget: Budget, *, checks: bool
) -> Located:
    """Narrow ``located.open`` down by lowering without some of it; ``failing`` are the passes of the lowering that
    failed, up to the one it failed in."""
    failure = located.failure
    failing_name = failing[-1].name if failing else None
    occurrence = sum(run.name == failing_name for run in failing)

    def attempt(left_out: Sequence[Candidate]) -> Outcome:
        ended = 0

        def after(run: PassRun) -> None:
            nonlocal ended
            ended += run.name == failing_name
            if ended == occurrence:
                raise _PastError

        observer = Observer(ended=after if failing_name else None)
        again = lower(without(made, left_out), target, observer, checks=checks)
        if again.error is None or (failing_name and ended >= occurrence):
            return "gone"
        return "same" if _alike(again.said, failure.text) else "other"

    left, confirmed = narrow(located.open, attempt, budget)
    if not left or confirmed is False:
        # It is no single statement: the place stays as it was.
        return located
    where = left[0].where
    if any(candidate.where != where for candidate in left):
        others = dict.fromkeys(candidate.where for candidate in left)
        places = tuple(Place(place.file, place.line, "it may be this statement") for place in others)
        return replace(located, failure=replace(failure, related=(*failure.related, *places)))
    narrowed = _at(failure, left, where)
    if confirmed:
        return narrowed
    return Located(replace(narrowed.failure, sure=False))


def _users_of_allocation(failure: Failure, known: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The statements that touch what is allocated at the place that the compiler names: of a buffer it knows only
    that, while the fault is in what uses it."""

    def there(candidate: Candidate) -> bool:
        places: list[object] = [(operand.file, operand.line) for operand in candidate.operands]
        places += [buffer_location(access.buffer) for access in candidate.accesses]
        return (failure.file, failure.line) in places

    return tuple(candidate for candidate in known if there(candidate))


def _at_allocation(failure: Failure, made: Elaborated, scope: str) -> Located:
    """Where the first buffer in ``scope`` is allocated; the failure as it is where that is not known."""
    for buffer in allocations(made.func.body):
        where = buffer_location(buffer)
        if str(buffer.scope()) == scope and where is not None:
            placed = _at(failure, (), where).failure
            return Located(replace(placed, operands=(candidates.operand("", buffer),)))
    return Located(failure)


def _at(failure: Failure, culprits: tuple[Candidate, ...], where: Location) -> Located:
    operation = culprits[0] if culprits else None
    placed = replace(
        failure,
        file=where.file,
        line=where.line,
        column=None,
        end_line=None,
        end_column=None,
        sure=True,
        operation=operation.kind if operation else None,
        operands=operation.operands if operation else (),
    )
    return Located(placed, culprits)


def _alike(one: str, other: str) -> bool:
    """Whether two messages are of one fault: addresses and places in them may differ."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return re.sub(r"0x[0-9a-f]+", "", first)
