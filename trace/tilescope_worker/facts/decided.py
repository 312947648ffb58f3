"""Why each buffer is laid out as it is: the operation and the pass that fixed its layout, and who claims what in a
conflict.

What matrix operations ask for is seen as they ask for it (`operands`); for the operations that the compiler infers in
C++, the order of its decisions is followed by a model (`order`), checked against the layouts that came out. What the
model does not explain has no decision.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tilescope_worker.observe import Snapshot
from tilescope_worker.wire.facts import Buffer, DecidedBy, Place

from . import annotated, participants, reasons
from .buffers import Key, allocated
from .ir import as_int, line_in
from .layouts import layout_map
from .operands import OperandWatch
from .order import Claim, Inference
from .participants import FRAGMENT, Participant, Storage
from .reasons import Context

logger = logging.getLogger(__name__)

_SHARED = ("shared", "shared.dyn")
_IN_TURN = re.compile(r"Layout infer conflict between (?P<one>\S+) and (?P<other>\S+) in T\.Parallel")
_REDUCED = re.compile(r"Layout may conflict with ReduceOp for buffer (?P<one>\S+) vs\. (?P<other>\S+)")
_DIFFERENT = re.compile(r"Get different layout for (?:alias buffer )?(?P<one>\S+)")


@dataclass(frozen=True)
class Conflict:
    """Two layouts that cannot both be. ``buffers`` are their names (one where two operations disagree on one buffer);
    ``at`` is the operation where they meet, ``claims`` the places of the operations that fixed them, with what each
    did, in the order of ``buffers``."""

    buffers: tuple[str, ...]
    at: Place | None
    claims: tuple[Place, ...]


class LayoutDecisions:
    """Follows layout inference in one lowering of ``func``, whose own file is ``path``: call `started` with the
    module that goes into it and `ended` with the one that comes out, then at any time `decided`, or `conflict` after
    it failed; `close` when the lowering is over."""

    def __init__(self, func: Any, path: str) -> None:
        self._path = path
        self._annotated = annotated.Annotated(func, path)
        self._watch = OperandWatch()
        self._pass = ""
        self._before: Any = None
        self._after: Any = None

    def started(self, name: str, mod: Any) -> None:
        """Layout inference (the pass ``name``) is about to run on ``mod``."""
        self._pass, self._before = name, mod
        self._watch.start()

    def ended(self, mod: Any) -> None:
        """Layout inference has made ``mod`` of the module it was given."""
        self.close()
        self._after = Snapshot(mod).module

    def close(self) -> None:
        """No more passes come: leave TileLang as it was."""
        self._watch.stop()

    def decided(self, buffers: Mapping[Key, Buffer], by_tma: Collection[int] = ()) -> dict[Key, Buffer]:
        """``buffers`` with the reason for each layout that came out; as they are where none has since. ``by_tma`` are
        the lines of the kernel's own file with a copy that is known to have been lowered to TMA."""
        after, self._after = self._after, None
        if after is None:
            return dict(buffers)
        layouts = layout_map(after)
        context = self._infer(lambda storage, _: _copies_of(layouts.get(storage)))
        current = allocated(after)
        found = {}
        for key, buffer in buffers.items():
            decision = None
            if buffer.layout is not None and key in current:
                decision = self._decision(current[key], layouts, context, by_tma)
            if decision is not None and buffer.layout is not None:
                buffer = replace(buffer, layout=replace(buffer.layout, decided_by=decision))
            found[key] = buffer
        return found

    def conflict(self, text: str) -> Conflict | None:
        """Who disagrees where layout inference failed with the message ``text``; None for other failures."""
        self.close()
        if self._before is None:
            return None
        for pattern in (_IN_TURN, _REDUCED, _DIFFERENT):
            match = pattern.search(text)
            if match is not None:
                names = tuple(match.groupdict().values())
                return self._disagreement(names, self._pair if len(names) == 2 else self._single)
        return None

    def _infer(self, copies: Any) -> Context:
        found = participants.read(self._before)
        demands = self._watch.by_operation(found.operations)
        asked = {index: tuple(demand.operands) for index, demand in demands.items()}
        inference = Inference(found, self._annotated.storages(self._before), asked, copies)
        claims = inference.run()
        return Context(self._path, found, claims, demands, tuple(inference.meetings))

    def _decision(
        self, buffer: Any, layouts: Mapping[Storage, Any], context: Context, by_tma: Collection[int]
    ) -> DecidedBy | None:
        storage = buffer.data
        claim = context.claims.get(storage)
        scope = str(buffer.scope())
        if storage not in layouts:
            default = "no operation asks for another layout than row-major"
            return DecidedBy(self._pass, None, default) if scope in _SHARED else None
        if claim is None:
            return self._by_copies(storage, context, by_tma) if scope in _SHARED else None
        if claim.how == "annotated":
            return self._annotated.decision(buffer, self._pass)
        if claim.how == "operand" and scope != FRAGMENT:
            return self._operand_decision(claim, layouts[storage], context)
        if claim.how == "free" and claim.source is not None and _equal(layouts[storage], layouts.get(claim.source)):
            claim = replace(claim, how="follows")
        text = reasons.reason(claim, context)
        return DecidedBy(self._pass, reasons.line_of(claim, context), text) if text else None

    def _operand_decision(self, claim: Claim, layout: Any, context: Context) -> DecidedBy | None:
        """Operations may ask for one shared buffer in different ways: then the first whose layout came out."""
        askers = _askers(claim.storage, context)
        for operation in askers:
            if _equal(context.demands[operation.index].operands[claim.storage].layout, layout):
                text = reasons.operand(operation, claim.storage, context)
                return DecidedBy(self._pass, _line(operation, context), text)
        if len(askers) < 2:
            return None
        return DecidedBy(self._pass, _line(askers[0], context), reasons.merged(askers, context))

    def _by_copies(self, storage: Storage, context: Context, by_tma: Collection[int]) -> DecidedBy | None:
        """What is left of shared memory with a layout belongs to copies that could go by TMA: others ask for none.
        Which of them do is settled later."""
        moves = [
            operation
            for operation in context.found.operations
            if operation.kind == "copy"
            and any(buffer.data.same_as(storage) for buffer in operation.operands)
            and any(str(buffer.scope()) == "global" for buffer in operation.operands)
        ]
        bulk = [operation for operation in moves if _line(operation, context) in by_tma]
        moves = bulk or moves
        titles = list(dict.fromkeys(context.operation(operation) for operation in moves))
        if not titles:
            return None
        moved = f"{'moves' if len(titles) == 1 else 'move'} it{' by TMA' if bulk else ''}"
        text = f"{' and '.join(titles)} {moved}, and no other operation asks for a layout"
        return DecidedBy(self._pass, _line(moves[0], context), text)

    def _disagreement(self, names: tuple[str, ...], resolve: Any) -> Conflict | None:
        context = self._infer(_estimated)
        at, claims = resolve(names, context)
        return Conflict(names, at, claims) if claims else None

    def _pair(self, names: tuple[str, ...], context: Context) -> tuple[Place | None, tuple[Place, ...]]:
        """The operation where two laid-out buffers meet, and who laid them out."""
        for operation in (*context.meetings, *context.found.operations):
            touched = {_name(context, storage): storage for storage in operation.uses}
            storages = [touched[name] for name in names if name in touched]
            made_here = [one for one in storages if one in context.claims and context.claims[one].by is operation]
            if len(storages) == len(set(names)) and not made_here:
                claims = [self._place(context.claims.get(storage), context) for storage in storages]
                met = f"{' and '.join(dict.fromkeys(names))} meet in {operation.title}"
                return _placed(operation, met), tuple(claim for claim in claims if claim is not None)
        return None, ()

    def _single(self, names: tuple[str, ...], context: Context) -> tuple[Place | None, tuple[Place, ...]]:
        """Two operations that want one buffer: the matrix operation that failed, and who came before it."""
        for storage in context.found.buffers:
            if _name(context, storage) != names[0]:
                continue
            askers = _askers(storage, context)
            claim = context.claims.get(storage)
            if not askers or claim is None:
                continue
            last = askers[-1]
            first = self._place(claim, context) if claim.by is not last else None
            second = _placed(last, reasons.operand(last, storage, context).replace(" it ", f" {names[0]} ", 1))
            return second, tuple(place for place in (first, second) if place is not None)
        return None, ()

    def _place(self, claim: Claim | None, context: Context) -> Place | None:
        if claim is None:
            return None
        if claim.how == "annotated":
            decision = self._annotated.decision(context.found.buffers[claim.storage], self._pass)
            text, line = (decision.reason, decision.line) if decision else ("", None)
            return Place(self._path, line, text) if line is not None else None
        text = reasons.reason(claim, context) or ""
        name = _name(context, claim.storage)
        return _placed(claim.by, re.sub(r"\bit\b", name, text, count=1)) if claim.by is not None else None


def _placed(operation: Participant, message: str) -> Place | None:
    where = operation.where
    return Place(where.file, where.line, message) if where is not None else None


def _name(context: Context, storage: Storage) -> str:
    return str(context.found.buffers[storage].name)


def _line(operation: Participant, context: Context) -> int | None:
    return line_in(context.path, operation.where)


def _askers(storage: Storage, context: Context) -> list[Participant]:
    operations = context.found.operations
    return [operations[index] for index, demand in sorted(context.demands.items()) if storage in demand.operands]


def _equal(one: Any, other: Any) -> bool:
    try:
        return other is not None and bool(one.is_equal(other))
    except Exception:
        logger.info("layouts could not be compared", exc_info=True)
        return False


def _copies_of(layout: Any) -> int | None:
    return as_int(layout.replicate_size) if hasattr(layout, "replicate_size") else None


def _estimated(storage: Storage, claims: Mapping[Storage, Claim]) -> int | None:
    """Copies of each element where no layouts came out: an operand has one; reducing or using an element spreads."""
    claim = claims.get(storage)
    while claim is not None and claim.how == "follows" and claim.by is not None and claim.source is not None:
        ranks = {access.storage: access.rank for access in claim.by.accesses}
        if ranks.get(claim.storage, 0) < max(ranks.values(), default=0):
            return None
        claim = claims.get(claim.source)
    return 1 if claim is not None and claim.how in ("operand", "free", "annotated") else None
