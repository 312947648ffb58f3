"""Accesses with their verdicts and coverage, from the syntax tree: every case is enumerated, every element marked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from tilescope_worker.wire.facts import Access, Coverage

from .claims import Claim
from .compiled import Compiled
from .written import Loop, Touched, grid_of

_MAX_CASES = 1 << 22
Case = tuple[tuple[int, ...], tuple[int, ...]]
"""Values of the variables, and of the indices."""


def claims(one: Compiled) -> Iterator[Claim]:
    """Claims for each access and each coverage that is told."""
    told = {(access.buffer, access.mode, access.line) for access in one.facts.accesses}
    yield Claim("access.places", one.title, told, lambda: _places(one))
    for access in one.facts.accesses:
        yield from _access(one, access)
    for coverage in one.facts.coverage:
        yield from _coverage(one, coverage)


def _places(one: Compiled) -> set[tuple[str, str, int]]:
    return {(touched.buffer, touched.mode, touched.line) for touched in one.written.touched}


def _access(one: Compiled, access: Access) -> Iterator[Claim]:
    about = f"{access.mode} of {access.buffer} on line {access.line} of {one.title}"

    def claim(name: str, told: Any, derived: Any) -> Claim:
        return Claim(f"access.{name}", about, told, derived)

    made = _same(one, access)
    yield claim("extents", access.extents, lambda: made.extents)
    yield claim("loops", access.loops, lambda: tuple(_names(made.loops)))
    yield claim("parallel", access.parallel, lambda: tuple(_names(made.loops, "Parallel")))
    domain = {name: (first, last) for name, (first, last) in access.domain.items()}
    yield claim("domain", domain, lambda: {name: (0, count - 1) for name, count in _domain(one, made).items()})
    yield claim("indices", _first_cases(access), lambda: _cases(one, made))
    if access.bounds != "unknown":
        yield claim("bounds", access.bounds, lambda: _bounds(one, made))
    if access.race != "unknown":
        yield claim("race", access.race, lambda: _race(one, made))
    if access.initialised != "unknown":
        yield claim("initialised", access.initialised, lambda: _initialised(one, made))


def _same(one: Compiled, access: Access) -> Touched:
    """The access as written; of several on one line that with the same first indices."""
    found = [
        made
        for made in one.written.touched
        if (made.buffer, made.mode, made.line) == (access.buffer, access.mode, access.line)
    ]
    return next((made for made in found if _cases(one, made) == _first_cases(access)), found[0])


def _names(loops: tuple[Loop, ...], kind: str | None = None) -> Iterator[str]:
    for loop in loops:
        if kind is None or loop.kind == kind:
            yield from loop.variables


def _domain(one: Compiled, made: Touched) -> dict[str, int]:
    """The loop and block variables that the indices depend on; Ascend's only block axis has a name of its own."""
    used = one.written.used(made.starts, made.loops)
    return {("bx" if name == "block" else name): count for name, count in used.items()}


def _first_cases(access: Access) -> list[Case]:
    """The first indices, by the fact's own text, in some cases of its domain."""
    names = sorted(access.domain)
    found = []
    for case in itertools.product(
        *({first, (first + last) // 2, last} for first, last in (access.domain[name] for name in names))
    ):
        scope = dict(zip(names, case, strict=True)) | {"min": min, "max": max}
        found.append((case, tuple(int(eval(index, {}, scope)) for index in access.indices)))
    return sorted(found)


def _cases(one: Compiled, made: Touched) -> list[Case]:
    domain = one.written.used(made.starts, made.loops)
    names = sorted(domain, key=lambda name: "bx" if name == "block" else name)
    found = []
    for case in itertools.product(*({0, (domain[name] - 1) // 2, domain[name] - 1} for name in names)):
        scope = dict(zip(names, case, strict=True))
        found.append((case, tuple(int(one.written.value(start, scope)) for start in made.starts)))
    return sorted(found)


def _all_starts(one: Compiled, made: Touched, variables: dict[str, int] | None = None) -> list[Any]:
    """The first index of each dimension in all cases, as arrays of one length."""
    domain = one.written.used(made.starts, made.loops) if variables is None else variables
    assert math.prod(domain.values()) <= _MAX_CASES
    cases = grid_of(domain)
    shape = (math.prod(domain.values()),)
    return [np.broadcast_to(np.asarray(one.written.value(start, cases)), shape) for start in made.starts]


def _bounds(one: Compiled, made: Touched) -> str:
    shape = one.written.buffers[made.buffer].shape
    tensor = one.written.buffers[made.buffer].allocator == "Tensor"
    for starts, extent, size in zip(_all_starts(one, made), made.extents, shape, strict=True):
        if starts.min() < 0 or starts.max() + extent > size:
            return "masked" if tensor else "faulty"  # the compiler guards what leaves a tensor, as tails do
    return "safe"


def _race(one: Compiled, made: Touched) -> str:
    """Whether two parallel iterations write one element."""
    parallel = [loop for loop in made.loops if loop.kind == "Parallel"]
    if made.mode != "write" or not parallel:
        return "safe"
    variables = {name: size for loop in parallel for name, size in zip(loop.variables, loop.extents, strict=True)}
    zeros = {name: 0 for name in one.written.domain(made.loops) if name not in variables}
    cases = {**zeros, **grid_of(variables)}
    total = math.prod(variables.values())
    columns = [np.broadcast_to(np.asarray(one.written.value(start, cases)), (total,)) for start in made.starts]
    return "safe" if len(np.unique(np.stack(columns), axis=1).T) == total else "faulty"


def _initialised(one: Compiled, made: Touched) -> str:
    """Whether the first block, in the first iteration of its serial loops, has written all that it reads."""
    if made.mode == "write" or one.written.buffers[made.buffer].allocator == "Tensor":
        return "safe"
    shape = one.written.buffers[made.buffer].shape
    filled = np.zeros(shape, dtype=bool)
    for other in one.written.touched:
        if other is made:
            break
        if other.buffer == made.buffer and other.mode == "write":
            _mark(one, other, filled)
    wanted = np.zeros(shape, dtype=bool)
    _mark(one, made, wanted)
    return "safe" if not (wanted & ~filled).any() else "faulty"


def _mark(one: Compiled, made: Touched, into: Any) -> None:
    used = one.written.used(made.starts, made.loops)
    own = set(_names(made.loops, "Parallel"))
    variables = {name: (count if name in own else 1) for name, count in used.items()}
    _mark_all(one, made, variables, into)


def _mark_all(one: Compiled, made: Touched, variables: dict[str, int], into: Any) -> None:
    """Mark the elements of an access in all cases of ``variables``."""
    starts = _all_starts(one, made, variables)
    if all(extent == 1 for extent in made.extents):
        inside = np.logical_and.reduce([start < size for start, size in zip(starts, into.shape, strict=True)])
        into[tuple(start[inside] for start in starts)] = True
        return
    for start in {tuple(map(int, case)) for case in zip(*starts, strict=True)} or {()}:
        into[tuple(slice(at, at + extent) for at, extent in zip(start, made.extents, strict=True))] = True


def _coverage(one: Compiled, coverage: Coverage) -> Iterator[Claim]:
    about = f"{coverage.mode} of {coverage.buffer} of {one.title}"
    own = [
        made
        for made in one.written.touched
        if made.buffer == coverage.buffer and (made.mode == "read") == (coverage.mode == "read")
    ]
    yield Claim("coverage.line", about, coverage.line, lambda: min(made.line for made in own))
    if coverage.verdict != "unknown":
        yield Claim("coverage.verdict", about, coverage.verdict, lambda: _covered(one, own))
    for axis, told in enumerate(coverage.detail.get("axes", ())):
        if "first" in told:
            seen = (told["extent"], told["first"], told["last"])
            yield Claim("coverage.axis", about, seen, partial(_axis, one, own, axis))
        if "variable" in told:
            seen = (told["count"], told["tile"], told.get("line"))
            name = told["variable"]
            yield Claim("coverage.tiles", about, seen, partial(_tiles, one, own[0], axis, name))


def _covered(one: Compiled, own: list[Touched]) -> str:
    """Mark every element of the tensor that any block touches."""
    shape = one.written.buffers[own[0].buffer].shape
    touched = np.zeros(shape, dtype=bool)
    for made in own:
        _mark_all(one, made, one.written.used(made.starts, made.loops), touched)
    return "safe" if touched.all() else "faulty"


def _axis(one: Compiled, own: list[Touched], axis: int) -> tuple[int, int, int]:
    starts = [_all_starts(one, made)[axis] for made in own]
    first = min(int(start.min()) for start in starts)
    last = max(int(start.max()) + made.extents[axis] - 1 for start, made in zip(starts, own, strict=True))
    return one.written.buffers[own[0].buffer].shape[axis], first, last


def _tiles(one: Compiled, made: Touched, axis: int, name: str) -> tuple[int, int, int | None]:
    """How many values the variable has, how far one more moves the tile, and where the variable comes from."""
    domain = one.written.domain(made.loops)
    zeros = dict.fromkeys(domain, 0)
    before, after = (int(one.written.value(made.starts[axis], zeros | {name: at})) for at in (0, 1))
    loop = next((loop for loop in made.loops if name in loop.variables), None)
    return domain[name], after - before, loop.line if loop is not None else one.written.launch_line
