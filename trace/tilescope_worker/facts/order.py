"""The order in which layout inference fixes layouts: a small model of the compiler's own (layout_inference.cc).

Strict level: every operation once, in program order; matrix operations lay out their operands. Common level: a queue
of all operations; one that touches a buffer with a layout passes it on to its other fragments, and every new layout
brings its users to the front of the queue. Free level: operations that are still connected by fragments without
layouts choose together. The model computes no layouts, only who fixed which: the first claim on a buffer stands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from .participants import FRAGMENT, REDUCER, TENSOR_MEMORY, Access, Participant, Participants, Storage

Level = Literal["strict", "common", "free"]
How = Literal[
    "annotated", "floating", "operand", "element", "linear", "loop-layout", "follows", "reduced", "finalized",
    "updated", "never-updated", "free", "l1-default", "l0-default",
]  # fmt: skip
"""What made a layout: a matrix operand, a use of element 0 by all threads, a scan's row-major buffer, ..."""


_CHOOSING = ("copy", "parallel", "reduce", "finalize")
_CHOSEN_FREELY = (FRAGMENT, REDUCER, "shared.l1", "shared.l0a", "shared.l0b")


@dataclass(frozen=True, eq=False)
class Claim:
    """``by`` fixed the layout of ``storage``, following that of ``source`` where there is one. ``beside`` are other
    operations that chose along with it, ``sure`` whether no other of them can have been the first."""

    storage: Storage
    how: How
    by: Participant | None
    source: Storage | None = None
    beside: tuple[Participant, ...] = ()
    sure: bool = True


@dataclass
class _State:
    claims: dict[Storage, Claim]
    frozen: set[int] = field(default_factory=set)
    queue: deque[int] = field(default_factory=deque)
    waiting: set[int] = field(default_factory=set)


class Inference:
    """One run. ``operands`` are the storages that a matrix operation (by its index) lays out; ``copies`` tells how
    many copies of each element a layout has that one of the claims so far made, None where that is not known."""

    def __init__(
        self,
        found: Participants,
        annotated: Iterable[Storage],
        operands: Mapping[int, Iterable[Storage]],
        copies: Callable[[Storage, Mapping[Storage, Claim]], int | None],
    ) -> None:
        self._found = found
        self._operands = operands
        self._copies = copies
        self._users: dict[Storage, list[int]] = {}
        self._owners: dict[Storage, set[int]] = {}
        self.meetings: list[Participant] = []
        """Operations in the order in which they first found all their buffers laid out by others."""
        for operation in found.operations:
            for storage in operation.uses:
                self._users.setdefault(storage, []).append(operation.index)
            if operation.kind == "finalize" and len(operation.operands) > 1:
                self._owners.setdefault(operation.operands[1].data, set()).add(operation.index)
        self._state = _State({storage: Claim(storage, "annotated", None) for storage in annotated})

    def run(self) -> dict[Storage, Claim]:
        """The claim that stands for each storage; those that nothing in the model claims are left out."""
        self._seed()
        state, operations = self._state, self._found.operations
        for operation in operations:
            self._step(state, operation, "strict", wake=False)
        state.queue.extend(range(len(operations)))
        state.waiting.update(state.queue)
        self._drain(state, "common")
        for members in self._components():
            self._choose(members)
        return self._state.claims

    def _seed(self) -> None:
        claims = self._state.claims
        for storage in self._found.floating:
            claims.setdefault(storage, Claim(storage, "floating", None))
        updated = {storage for operation in self._found.operations for storage in operation.updates}
        for storage in self._users:
            if self._found.scopes[storage] == REDUCER and storage not in updated:
                claims.setdefault(storage, Claim(storage, "never-updated", None))

    def _drain(self, state: _State, level: Level) -> None:
        while state.queue:
            index = state.queue.popleft()
            state.waiting.discard(index)
            self._step(state, self._found.operations[index], level, wake=True)

    def _step(self, state: _State, operation: Participant, level: Level, *, wake: bool) -> None:
        for claim in self._proposals(state, operation, level):
            if claim.storage in state.claims:
                continue
            owners = self._owners.get(claim.storage)
            if level != "strict" and owners and operation.index not in owners:
                continue
            state.claims[claim.storage] = claim
            if wake:
                self._wake(state, claim.storage, operation.index)

    def _wake(self, state: _State, storage: Storage, current: int) -> None:
        for index in self._users.get(storage, ()):
            if index != current and index not in state.waiting:
                state.waiting.add(index)
                state.queue.appendleft(index)

    def _proposals(self, state: _State, operation: Participant, level: Level) -> list[Claim]:
        if operation.kind == "gemm" and level == "strict":
            return [Claim(storage, "operand", operation) for storage in self._operands.get(operation.index, ())]
        if operation.kind == "scan" and level == "strict":
            shared = (buffer.data for buffer in operation.operands)
            return [Claim(one, "linear", operation) for one in shared if self._is_shared(one)]
        if operation.kind == "reduce" and level != "strict":
            source, target = (buffer.data for buffer in operation.operands[:2])
            if source in state.claims and self._are_fragments(source, target):
                return [Claim(target, "reduced", operation, source)]
        if operation.kind == "finalize" and level == "free":
            reducer, target = (buffer.data for buffer in operation.operands[:2])
            if reducer in state.claims:
                return [Claim(target, "finalized", operation, reducer)]
        if operation.kind == "copy":
            special = self._special_copy(state, operation, level)
            if special is not None:
                return special
        if operation.kind in ("copy", "parallel"):
            return self._loop(state, operation, level)
        return []

    def _special_copy(self, state: _State, operation: Participant, level: Level) -> list[Claim] | None:
        """Copies that are no loops: out of and into tensor memory, and between the memories of a cube unit."""
        if len(operation.operands) < 2:
            return None
        source, target = (buffer.data for buffer in operation.operands[:2])
        scopes = self._found.scopes[source], self._found.scopes[target]
        if TENSOR_MEMORY in scopes and FRAGMENT in scopes:
            memory, registers = (source, target) if scopes[0] == TENSOR_MEMORY else (target, source)
            known = memory in state.claims
            return [Claim(registers, "follows", operation, memory)] if known else []
        if scopes[0] == "shared.l1" and scopes[1] in ("shared.l0a", "shared.l0b"):
            claims = [Claim(source, "l1-default", operation)]
            return claims + [Claim(target, "l0-default", operation)] * (level == "free")
        if scopes == ("global", "shared.l1"):
            return [Claim(target, "l1-default", operation)] if level == "free" else []
        return None

    def _loop(self, state: _State, operation: Participant, level: Level) -> list[Claim]:
        if operation.index in state.frozen:
            return []
        accesses = operation.accesses
        if level == "strict":
            return [Claim(one.storage, "element", operation) for one in accesses if one.rank and one.zero]
        if operation.annotated:
            return self._complete(state, operation, "loop-layout", None)
        source, beside = self._source(state, accesses)
        moving = [one for one in accesses if not one.constant]
        spreads = bool(moving) or not accesses
        if source is not None and (spreads or source.write):
            return self._complete(state, operation, "follows", source.storage)
        if level == "free":
            return self._complete(state, operation, "free", beside.storage if beside and spreads else None)
        return []

    def _source(self, state: _State, accesses: tuple[Access, ...]) -> tuple[Access | None, Access | None]:
        """The access that gives the loop its layout, and the best that is only read."""
        source: Access | None = None
        read: Access | None = None
        for access in accesses:
            if access.storage not in state.claims:
                continue
            if access.write:
                source = access
                continue
            if read is None or access.rank > read.rank:
                read = access
            if source is None and self._copies(access.storage, state.claims) == 1:
                source = access
        return source, read

    def _complete(self, state: _State, operation: Participant, how: How, source: Storage | None) -> list[Claim]:
        state.frozen.add(operation.index)
        if all(access.storage in state.claims for access in operation.accesses):
            self.meetings.append(operation)
        # A layout that hangs on an outer loop's variable holds inside that loop only: the compiler drops it.
        claims = [Claim(one.storage, how, operation, source) for one in operation.accesses if not one.foreign]
        return claims + [Claim(storage, "updated", operation) for storage in operation.updates]

    def _is_shared(self, storage: Storage) -> bool:
        return self._found.scopes[storage] in ("shared", "shared.dyn")

    def _are_fragments(self, *storages: Storage) -> bool:
        return all(self._found.scopes[storage] == FRAGMENT for storage in storages)

    def _components(self) -> list[list[int]]:
        """Operations that fragments connect, each in program order."""
        parent = list(range(len(self._found.operations)))

        def root(index: int) -> int:
            while parent[index] != index:
                index = parent[index]
            return index

        for users in self._users.values():
            for index in users[1:]:
                parent[root(index)] = root(users[0])
        members: dict[int, list[int]] = {}
        for index in range(len(parent)):
            members.setdefault(root(index), []).append(index)
        return list(members.values())

    def _choose(self, members: list[int]) -> None:
        """The compiler tries every operation of a component as the first one and keeps the cheapest result, the
        earliest of equal ones; what all attempts agree on is sure."""
        operations = self._found.operations
        pending = {storage for index in members for storage in self._touched(operations[index])}
        if all(storage in self._state.claims for storage in pending if self._found.scopes[storage] in _CHOSEN_FREELY):
            return
        attempts = [self._attempt(first, members) for first in members]
        best = attempts[0]
        for storage, claim in best.claims.items():
            if storage in self._state.claims:
                continue
            others = [other.claims.get(storage) for other in attempts[1:]]
            sure = all(other is not None and _same(other, claim) for other in others)
            chosen = tuple(operations[index] for index in members if operations[index].kind in _CHOOSING)
            self._state.claims[storage] = claim if sure else _unsure(best.claims, claim, chosen)
        self._state.frozen |= best.frozen

    def _touched(self, operation: Participant) -> set[Storage]:
        return {*operation.uses, *(buffer.data for buffer in operation.operands if operation.kind == "copy")}

    def _attempt(self, first: int, members: list[int]) -> _State:
        state = _State(dict(self._state.claims), set(self._state.frozen))
        for index in [first, *(other for other in members if other != first)]:
            self._step(state, self._found.operations[index], "free", wake=True)
            self._drain(state, "free")
        return state


def _same(one: Claim, other: Claim) -> bool:
    return one.by is other.by and one.how == other.how and one.source is other.source


def _unsure(claims: dict[Storage, Claim], claim: Claim, beside: tuple[Participant, ...]) -> Claim:
    """A claim that other attempts make otherwise. Where the chain it ends begins with a free choice, that choice made
    it, and it was one for all operations ``beside``."""
    root = claim
    while root.source is not None and root.how != "free":
        root = claims[root.source]
    if root.how == "free":
        return Claim(claim.storage, "free", root.by, None, beside, sure=False)
    return replace(claim, sure=False)
