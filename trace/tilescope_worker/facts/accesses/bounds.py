"""Whether accesses stay inside their buffers.

What the compiler does about an access that leaves a buffer (TileLang 0.1.15: ``LegalizeSafeMemoryAccess``, the bounds
predicates of ``T.copy``) decides how bad it is. In global memory it guards every element access whose index is not
constant, and every copy: what is outside reads as zero and is not written, so that a tail needs no care. Shared
memory, fragments, constant indices and all accesses under ``tl.disable_safe_memory_legalize`` are not guarded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tilescope_worker.wire.facts import Json, Verdict, Witness

from .raw import Raw
from .solve import Answer, Budget, evaluate, highest, lowest, solve
from .terms import Apply, Term, Variable, add, interval, is_known, linear, variables

_GUARDED_OPERATIONS = ("copy", "atomic")
_JUDGED_OPERATIONS = ("copy", "fill", "gemm", "reduce", "atomic")


@dataclass(frozen=True)
class Judged:
    verdict: Verdict
    witness: Witness | None = None
    extra: dict[str, Json] = field(default_factory=dict)


def judge(access: Raw, shape: tuple[Term, ...], budget: Budget, *, guarding: bool) -> Judged:
    """The verdict on an access of a buffer of ``shape``. ``guarding`` says that the compiler guards global memory."""
    if access.operation is not None and access.operation not in _JUDGED_OPERATIONS:
        return Judged("unknown")  # im2col, say: its region is no box of elements
    worst = Judged("safe")
    for dimension, (start, count, extent) in enumerate(zip(access.starts, access.counts, shape, strict=True)):
        found = _dimension(access, dimension, start, count, extent, budget, guarding=guarding)
        if found.verdict == "faulty":
            return found
        if _RANK[found.verdict] > _RANK[worst.verdict]:
            worst = found
    return worst


_RANK = {"safe": 0, "masked": 1, "unknown": 2}


def _dimension(
    access: Raw, dimension: int, start: Term, count: Term, extent: Term, budget: Budget, *, guarding: bool
) -> Judged:
    end = add(start, count)
    conditions = access.conditions
    over = Apply("sub", (end, extent))
    if not (is_known(start) and is_known(count)):
        return Judged("unknown")
    if _at_most(over, 0, conditions) and _at_least(start, 0, conditions):
        return Judged("safe")
    if not isinstance(extent, int) or not isinstance(count, int):
        return Judged("unknown")
    outside = Apply("or", (Apply("lt", (start, 0)), Apply("lt", (extent, end))))
    answer = solve((outside, *conditions), budget)
    if answer.impossible:
        return Judged("safe")
    if answer.values is None:
        return Judged("unknown")
    never = _never_inside(start, count, extent, conditions)
    how = _how(access, start, guarding)
    witness = _witness(access, dimension, start, count, extent, answer, how)
    if how != "masked":
        return Judged("faulty", witness)
    if never:
        return Judged("faulty", _with(witness, {"never": True}))
    if _misplaced(start, count, extent, conditions):
        return Judged("faulty", witness)
    return Judged("masked", witness)


def _at_most(term: Term, limit: int, conditions: tuple[Term, ...]) -> bool:
    return interval(term)[1] <= limit or (bool(conditions) and highest(term, conditions) <= limit)


def _at_least(term: Term, limit: int, conditions: tuple[Term, ...]) -> bool:
    return interval(term)[0] >= limit or (bool(conditions) and lowest(term, conditions) >= limit)


def _never_inside(start: Term, count: int, extent: int, conditions: tuple[Term, ...]) -> bool:
    """Whether no element of any execution of the access is in the buffer."""
    end = add(start, count)
    return _at_least(start, extent, conditions) or _at_most(end, 0, conditions)


def _how(access: Raw, start: Term, guarding: bool) -> str:
    """What happens outside: ``masked`` by the compiler, or the access goes on ``beyond`` the buffer."""
    if access.scope != "global":
        return "beyond"
    if access.operation == "copy":
        return "masked"
    guarded = access.operation is None or access.operation in _GUARDED_OPERATIONS
    return "masked" if guarding and guarded and (access.operation is not None or variables(start)) else "beyond"


def _misplaced(start: Term, count: int, extent: int, conditions: tuple[Term, ...]) -> bool:
    """Whether a constant offset alone takes a guarded access out of a tensor that it would otherwise stay in: by a
    whole tile, or where no tiles move along the axis. A tail, a halo and a prefetch are nothing of the kind."""
    constant, atoms = linear(start)
    if constant <= 0:
        return False
    without = Apply("sub", (start, constant))
    if not (_at_most(add(without, count), extent, conditions) and _at_least(without, 0, conditions)):
        return False
    moving = {variable for atom in atoms for variable in variables(atom)}
    if any(variable.kind in ("serial", "thread", "shape") for variable in moving):
        return False
    tiles = {variable for variable in moving if variable.kind == "block"}
    if not tiles:
        return True
    inner = sum(
        factor * (variable.count - 1)
        for variable, factor in atoms.items()
        if isinstance(variable, Variable) and variable not in tiles and factor > 0
    )
    return constant >= inner + count


def _witness(access: Raw, dimension: int, start: Term, count: int, extent: int, answer: Answer, how: str) -> Witness:
    values = answer.values or {}
    first, last = interval(start)[0], interval(add(start, count))[1] - 1
    index = _index(start, count, extent, values)
    detail: dict[str, Json] = {"outside": how}
    if not any(map(math.isinf, (first, last))):
        detail |= {"first": int(first), "last": int(last)}
    shown = {variable.name: value for variable, value in values.items()}
    order = [variable.name for variable in access.loops]
    ordered = {name: shown[name] for name in order if name in shown}
    return Witness({**ordered, **shown}, dimension, index, extent, detail)


def _index(start: Term, count: int, extent: int, values: dict[Variable, int]) -> int:
    """The first index outside in the case ``values``."""
    first = evaluate(start, values)
    return first if first < 0 or first >= extent else min(extent, first + count - 1)


def _with(witness: Witness, detail: dict[str, Json]) -> Witness:
    return Witness(witness.values, witness.dimension, witness.index, witness.extent, witness.detail | detail)
