"""What the lanes of a warp touch: the offsets of one instruction for warps, iterations and blocks that are tried."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .expressions import NAMESPACE
from .moves import Request
from .scope import Scope

MAX_WARPS = 3
MAX_CHANGES = 6
"""Warps tried at the first values of all variables, and changes of one variable tried with the first warp."""
MAX_ITERATIONS = 16
"""Iterations of the innermost loop whose sectors are added up."""

_NAME = re.compile(r"\bv\d+\b")
_Thread = tuple[int, int, int]
Offsets = list[int | None]


@dataclass(frozen=True)
class Sample:
    """The offsets of a warp's lanes at the values of the variables; None for a lane that takes no part."""

    warp: int
    values: dict[str, int]
    offsets: Offsets
    source: Offsets | None = None


class Lanes:
    """Evaluates the requests of one kernel over its warps of ``width`` lanes."""

    def __init__(self, scope: Scope, width: int) -> None:
        self._scope = scope
        extents = scope.threads
        threads = [
            (x, y, z) for z in range(extents["tz"]) for y in range(extents["ty"]) for x in range(extents["tx"])
        ]
        self.warps: list[list[_Thread]] = [threads[at : at + width] for at in range(0, len(threads), width)]

    def samples(self, request: Request, offset: str) -> Iterator[Sample]:
        """Samples of one instruction of ``request``, all with at least one lane that takes part. The names that
        differ between samples are those that its texts use."""
        names = self._names(request, offset)
        compute = compiled(offset, request.guards, names)
        read = None if request.source is None else compiled(request.source, request.guards, names)
        base = {name: self._scope.values[name][0] for name in names}
        first = None
        for values in (base, *self._changes(base)):
            for warp in self._taking_part(compute, values) if first is None else (first,):
                offsets = self._run(compute, warp, values)
                if all(at is None for at in offsets):
                    continue
                first = warp if first is None else first
                yield Sample(warp, values, offsets, None if read is None else self._run(read, warp, values))

    def repeats(self, request: Request, offset: str) -> int | None:
        """How many places a thread goes to with the instruction; None where the extent of a loop is not known."""
        extents = [self._scope.extents[name] for name in self._loops(self._names(request, offset))]
        known = [extent for extent in extents if extent is not None]
        return math.prod(known) if len(known) == len(extents) else None

    def iterations(self, request: Request, offset: str, sample: Sample) -> Iterator[Offsets]:
        """The offsets of the same warp in the first iterations of the innermost loop that the index depends on."""
        names = self._names(request, offset)
        loops = self._loops(names)
        compute = compiled(offset, request.guards, names)
        if not loops:
            yield sample.offsets
            return
        for value in range(min(self._scope.extents[loops[-1]] or MAX_ITERATIONS, MAX_ITERATIONS)):
            yield self._run(compute, sample.warp, sample.values | {loops[-1]: value})

    def _names(self, request: Request, offset: str) -> tuple[str, ...]:
        used = set(_NAME.findall(" ".join((offset, request.source or "", *request.guards))))
        return tuple(name for name in self._scope.values if name in used)

    def _loops(self, names: tuple[str, ...]) -> list[str]:
        return [name for name in names if name not in self._scope.blocks and name not in self._scope.sizes]

    def _changes(self, base: dict[str, int]) -> list[dict[str, int]]:
        """``base`` with one variable changed at a time, innermost loops first."""
        found = [base | {name: value} for name in reversed(base) for value in self._scope.values[name][1:]]
        return found[:MAX_CHANGES]

    def _taking_part(self, compute: Callable[..., Offsets], values: dict[str, int]) -> Iterator[int]:
        """Up to MAX_WARPS warps that take part: from the beginning, the end, and between."""
        count, found = len(self.warps), 0
        for warp in dict.fromkeys((0, 1, count - 1, count // 2, *range(count))):
            if not 0 <= warp < count or found == MAX_WARPS:
                continue
            if any(at is not None for at in self._run(compute, warp, values)):
                found += 1
                yield warp

    def _run(self, compute: Callable[..., Offsets], warp: int, values: dict[str, int]) -> Offsets:
        return compute(self.warps[warp], *values.values())


@lru_cache(maxsize=1024)
def compiled(offset: str, guards: tuple[str, ...], names: tuple[str, ...]) -> Callable[..., Offsets]:
    """A function of threads and the values of ``names`` that gives the offset of each thread, or None where a guard
    does not hold."""
    guarded = f"({offset}) if {' and '.join(guards)} else None" if guards else offset
    text = f"lambda lanes,{','.join(names)}: [{guarded} for tx,ty,tz in lanes]"
    function: Callable[..., Any] = eval(text, dict(NAMESPACE))
    return function
