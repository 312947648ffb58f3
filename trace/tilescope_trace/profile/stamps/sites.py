"""Where clock stamps go: at each change of tile operation, of the part it plays, and between working and waiting.

A stamp means that something begins; it lasts until the next stamp of the same warp, so that the time of a warp is
divided without gaps. Loops that the code generator unrolls, and what one elected thread does, are not divided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import GeneratedLineRecord, Origin

from .statements import Function, Statement

Kind = Literal["work", "wait"]

_WAITS = re.compile(
    r"(\.wait\(|\bwarpgroup_wait<|\bwait_wgmma|\bcp_async_wait<|\btma_store_wait|\bmbarrier_wait|\btry_wait"
    r"|^__syncthreads\(|^__syncwarp\(|\bnamed_barrier_sync|\bsyncthreads_partial)"
)
_NEUTRAL = re.compile(r"\bwarpgroup_fence_operand\(|\.arrive\(|\.init\(|\bfence_barrier_init\(")
"""Statements that take no time worth a stamp: they belong to what is before them."""
_ELECTED = re.compile(r"\btl_shuffle_elect<|\bcute::elect_one_sync\(")
_SETTINGS_UP = frozenset({"allocation"})


@dataclass(frozen=True)
class Site:
    """A stamp: its number (from 1, unique in the source) and what begins there. ``line`` to ``last`` are the lines of
    generated source up to the next site; ``origins`` their Python lines, the one that causes them first; none
    where they are not known."""

    number: int
    symbol: str
    line: int
    last: int
    kind: Kind
    role: str | None
    origins: tuple[Origin, ...]
    text: str


def sites(kernels: Sequence[Function], table: Sequence[GeneratedLineRecord]) -> tuple[Site, ...]:
    """The stamps for ``kernels``, with what ``table`` knows of their lines."""
    known = {record.line: record for record in table}
    found: list[Site] = []
    for kernel in kernels:
        walk = _Walk(known)
        walk.through(kernel.body)
        for begin in walk.begins:
            first = begin[0]
            found.append(_site(len(found) + 1, kernel.symbol, begin, known, first.header))
    return tuple(found)


def _site(
    number: int, symbol: str, group: Sequence[Statement], known: Mapping[int, GeneratedLineRecord], text: str
) -> Site:
    first, last = group[0].first, group[-1].last
    records = [known[line] for line in range(first, last + 1) if line in known]
    origins = dict.fromkeys(origin for record in records for origin in record.origins)
    return Site(number, symbol, first, last, _kind(group[0]), _role(group[0], known), tuple(origins), text)


class _Walk:
    """Goes through the statements in order and gathers those that belong together."""

    def __init__(self, known: Mapping[int, GeneratedLineRecord]) -> None:
        self.begins: list[list[Statement]] = []
        self._known = known
        self._key: tuple[object, ...] | None = None

    def through(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            if self._opens(statement):
                for arm in statement.arms:
                    self._key = None
                    self.through(arm)
                self._key = None
            elif not self._neutral(statement):
                self._take(statement)

    def _take(self, statement: Statement) -> None:
        key = self._key_of(statement)
        if key == self._key:
            self.begins[-1].append(statement)
        else:
            self.begins.append([statement])
        self._key = key

    def _key_of(self, statement: Statement) -> tuple[object, ...]:
        record = _record(statement, self._known)
        origin = record.origins[0] if record is not None and record.origins else None
        return (origin, _role(statement, self._known), _kind(statement))

    def _neutral(self, statement: Statement) -> bool:
        if statement.arms:
            return False
        return _role(statement, self._known) in _SETTINGS_UP or bool(_NEUTRAL.search(statement.header))

    def _opens(self, statement: Statement) -> bool:
        if not statement.arms or _ELECTED.search(statement.header):
            return False
        inner = [leaf for leaf in _leaves(statement) if not self._neutral(leaf)]
        kinds = {_kind(leaf) for leaf in inner}
        if len(kinds) > 1:
            return True
        return not statement.unrolled and len({self._key_of(leaf) for leaf in inner}) > 1


def _leaves(statement: Statement) -> Iterator[Statement]:
    """The parts of a compound statement that the walk would not open for being elected or without braces."""
    for arm in statement.arms:
        for part in arm:
            if part.arms and not _ELECTED.search(part.header) and not part.unrolled:
                yield from _leaves(part)
            else:
                yield part


def _kind(statement: Statement) -> Kind:
    if not statement.arms:
        return "wait" if _WAITS.search(statement.header) else "work"
    if _ELECTED.search(statement.header):
        return "work"
    inner = list(_leaves(statement))
    return "wait" if inner and all(_kind(leaf) == "wait" for leaf in inner) else "work"


def _record(statement: Statement, known: Mapping[int, GeneratedLineRecord]) -> GeneratedLineRecord | None:
    return next((known[line] for line in range(statement.first, statement.last + 1) if line in known), None)


def _role(statement: Statement, known: Mapping[int, GeneratedLineRecord]) -> str | None:
    record = _record(statement, known)
    return record.role if record is not None else None
