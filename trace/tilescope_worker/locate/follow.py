"""What happens after a lowering has failed: the failure gets its place, and the kernel is lowered on without the
statements at fault, so that the rest of it keeps its facts and shows its own faults."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from tilescope_worker.attempts import Attempt, Setting, attempt
from tilescope_worker.wire.facts import Buffer, Launch, Operation
from tilescope_worker.wire.messages import Event, Failure

from . import candidates
from .candidates import Candidate
from .leftout import LeftOut
from .locator import Located, at_once, search
from .search import Budget
from .without import tainted, without

logger = logging.getLogger(__name__)

ROUNDS = 3
"""Faults of one kernel that are looked for."""

_WANT = re.compile(r"layout\b.*can ?not be inferred|no available layout", re.IGNORECASE)
"""Failures that come of nothing but the want of what was left out: a fragment that no operation lays out any more."""

_Key = tuple[str, int | None, str]


@dataclass(frozen=True)
class Remainder:
    """What is known of a kernel without some of its statements: ``lines`` are those that were left out. Operations
    are all that are written; which instructions they become may depend on what was left out, and is not told."""

    lines: tuple[int, ...]
    buffers: tuple[Buffer, ...]
    operations: tuple[Operation, ...]
    launch: Launch | None

    @property
    def note(self) -> str:
        noun = "line" if len(self.lines) == 1 else "lines"
        return f"facts are those of the kernel without {noun} {', '.join(map(str, self.lines))}"


def follow(
    first: Attempt,
    setting: Setting,
    send: Callable[[Event], None],
    *,
    go_on: bool,
    missing: LeftOut | None = None,
) -> Remainder | None:
    """Send the failure of ``first`` at once and again as soon as more is known; then, with ``go_on``, the failures of
    what is left. ``missing`` is what the kernel lacks already.

    The facts of what is left are returned if it came as far as its layouts, else None.
    """
    lines, names = (missing.lines, missing.names) if missing is not None else ((), frozenset[str]())
    budget = Budget()
    now, left_out, told = first, list[Candidate](), set[_Key]()
    known = _candidates(first)
    rest = _remainder(first, now, left_out, known, lines, names) if lines and now.stage != "buffers" else None
    for turn in range(ROUNDS):
        if now.failure is None:
            break
        located = _located(now, now.failure, setting, send, budget, told, later=turn > 0 or bool(lines))
        if located is None or not located.culprits or not go_on:
            break
        left_out += _same_places(located.culprits, known)
        if not budget.take():
            break
        now = attempt(without(first.made, left_out), setting)
        if now.stage != "buffers":
            rest = _remainder(first, now, left_out, known, lines, names)
    return rest


def _located(
    now: Attempt,
    failure: Failure,
    setting: Setting,
    send: Callable[[Event], None],
    budget: Budget,
    told: set[_Key],
    *,
    later: bool,
) -> Located | None:
    """The failure of ``now``, sent unless it only follows from what was left out; None where it says what has been
    said before, or where that cannot be told apart."""
    located = _placed(now, failure)
    if later and not located.culprits:
        # Without a statement of its own it may be no more than the want of what was left out.
        return None
    if _key(located.failure) in told:
        return None
    if later and _WANT.search(failure.text):
        return located
    send(located.failure)
    if located.open and not located.culprits:
        first = located.failure
        located = search(located, now.made, setting.target, now.passes, budget, checks=setting.checks)
        if located.failure != first:
            send(replace(located.failure, refines=True))
    told.add(_key(located.failure))
    return located


def _candidates(first: Attempt) -> tuple[Candidate, ...]:
    try:
        return candidates.read(first.made.func)
    except Exception:
        logger.exception("statements of the kernel not known")
        return ()


def _placed(now: Attempt, failure: Failure) -> Located:
    try:
        return at_once(failure, now.lowered, now.made, now.conflict)
    except Exception:
        # Unexpected IR must cost no more than the place.
        logger.exception("no place found for a failure of %s", failure.pass_name)
        return Located(replace(failure, sure=failure.line is not None))


def _key(failure: Failure) -> _Key:
    return failure.file or "", failure.line, failure.message


def _same_places(culprits: tuple[Candidate, ...], known: tuple[Candidate, ...]) -> list[Candidate]:
    """The statements of the whole kernel where the culprits stand: those of a kernel that lacks some are other
    objects."""
    places = {(candidate.where, candidate.kind) for candidate in culprits}
    return [candidate for candidate in known if (candidate.where, candidate.kind) in places]


def _remainder(
    first: Attempt,
    now: Attempt,
    left_out: list[Candidate],
    known: tuple[Candidate, ...],
    lines: tuple[int, ...],
    names: frozenset[str],
) -> Remainder:
    """A layout may come from what was left out: such layouts are not known. The statement where two layouts conflict
    decides on neither."""
    mentioned = names.union(*(candidate.names for candidate in left_out))
    unknown = tainted(mentioned, known) if first.conflict is None else frozenset()
    buffers = tuple(
        replace(buffer, layout=None) if buffer.name in unknown else buffer for buffer in now.facts.buffers
    )
    launch = now.facts.launch
    if launch is not None:
        # What the rest takes of the machine is not what the whole takes.
        launch = Launch(grid=launch.grid, threads=launch.threads, line=launch.line)
    places = {candidate.where.line for candidate in left_out}
    operations = _operations(first.facts.operations, now.facts.operations)
    return Remainder(tuple(sorted(places.union(lines))), buffers, operations, launch)


def _operations(written: tuple[Operation, ...], lowered: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """All operations as ``written``, with the details that are known of those that were ``lowered``."""
    known = defaultdict(list)
    for operation in lowered:
        known[operation.kind, operation.line].append(operation)
    return tuple(
        replace(known[one.kind, one.line].pop(0), lowered_to=()) if known[one.kind, one.line] else one
        for one in written
    )
