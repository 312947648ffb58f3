"""Whether iterations of a parallel loop write one element.

The question is that of the compiler's own check (``VerifyParallelLoop``, off by default): two iterations that differ
in a parallel variable, have the same indices, and store values that may differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from tilescope_worker.wire.facts import Verdict, Witness

from .raw import Raw
from .solve import Budget, function, predicate
from .terms import Apply, Term, Variable, is_known, linear, source, variables

_PRIVATE = ("local", "local.var")


def judge(access: Raw, reducers: set[object], budget: Budget) -> tuple[Verdict, Witness | None]:
    """The verdict on one access. Outside T.Parallel all threads store one value, unless it depends on the thread."""
    inside = _inside(access.loops)
    if not access.stored:
        return "safe", None  # what tile operations write, the compiler shares out among the threads
    if not inside:
        own = frozenset().union(access.uses, *map(variables, access.starts))
        return ("unknown" if any(variable.kind == "thread" for variable in own) else "safe"), None
    if access.scope in _PRIVATE or access.buffer.data in reducers:
        return "safe", None
    parallel = [variable for variable in inside if variable.kind == "parallel" and variable.count > 1]
    told_apart = _told_apart(access.starts, inside)
    left = [variable for variable in parallel if variable not in told_apart]
    if not left:
        return "safe", None
    if not all(map(is_known, (*access.starts, *access.conditions))):
        return "unknown", None
    if not access.sums and not access.uses & frozenset(left):
        return "safe", None  # they all store one value
    return _colliding(access, left, inside, told_apart, budget)


def _inside(loops: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """The variables of the outermost parallel loop and of all loops in it."""
    return tuple(itertools.dropwhile(lambda variable: variable.kind != "parallel", loops))


def _told_apart(starts: Iterable[Term], inside: tuple[Variable, ...]) -> set[Variable]:
    """Variables whose value follows from the indices, axis by axis: the mixed-radix rule on linear indices."""
    known: set[Variable] = set()
    pending = [linear(start)[1] for start in starts]
    found = True
    while found:
        found = False
        for atoms in pending:
            moving = {one: factor for one, factor in atoms.items() if variables(one) & (frozenset(inside) - known)}
            if moving and all(isinstance(one, Variable) for one in moving) and _is_mixed_radix(moving):
                known |= {one for one in moving if isinstance(one, Variable)}
                found = True
    return known


def _is_mixed_radix(atoms: dict[Term, int]) -> bool:
    reach = 0.0
    for variable, factor in sorted(atoms.items(), key=lambda item: abs(item[1])):
        if not isinstance(variable, Variable) or abs(factor) <= reach:
            return False
        reach += abs(factor) * (variable.count - 1)
    return True


def _colliding(
    access: Raw,
    left: list[Variable],
    inside: tuple[Variable, ...],
    told_apart: set[Variable],
    budget: Budget,
) -> tuple[Verdict, Witness | None]:
    """Two iterations that store to one element, searched with all that is common to them at its first value."""
    moving = [variable for variable in inside if variable not in told_apart]
    involved = frozenset().union(*map(variables, (*access.starts, *access.conditions)))
    fixed = [variable for variable in involved if variable not in moving]
    if any(abs(variable.first) == float("inf") for variable in (*moving, *fixed)):
        return "unknown", None
    ranges = [_tried(variable, involved) for variable in moving]
    total = 1
    for tried in ranges:
        total *= len(tried)
    if total > min(budget.left, budget.each):
        ranges = [tried[:2] for tried in ranges]
    free = [*moving, *fixed]
    names = [f"v{at}" for at in range(len(free))]
    by_variable = dict(zip(free, names, strict=True))
    index = function(f"({''.join(source(start, by_variable) + ',' for start in access.starts)})", names)
    holds = predicate(access.conditions, free)
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    rest = tuple(int(variable.first) for variable in fixed)
    parallel = [at for at, variable in enumerate(moving) if variable in left]
    for values in itertools.product(*ranges):
        budget.left -= 1
        try:
            if not holds(*values, *rest):
                continue
            place = index(*values, *rest)
        except (ZeroDivisionError, OverflowError, ValueError):
            return "unknown", None
        other = seen.setdefault(place, values)
        differing = [moving[at] for at in parallel if other[at] != values[at]]
        if differing and (access.sums or access.uses & frozenset(differing)):
            return "faulty", _witness(access, moving, other, values, differing)
    nothing_fixed = not fixed and total <= budget.each
    return ("safe" if nothing_fixed else "unknown"), None


def _tried(variable: Variable, involved: frozenset[Variable]) -> range:
    """A variable that neither an index nor a condition mentions needs two values only."""
    first = int(variable.first)
    last = int(variable.last) if variable.last != float("inf") else first + 1
    return range(first, min(last, first + 1 if variable not in involved else last) + 1)


def _witness(
    access: Raw, moving: list[Variable], one: tuple[int, ...], other: tuple[int, ...], differing: list[Variable]
) -> Witness:
    names = [variable.name for variable in moving]
    return Witness(
        values=dict(zip(names, one, strict=True)),
        detail={
            "other": dict(zip(names, other, strict=True)),
            "variables": [variable.name for variable in differing],
            "parallel": [variable.name for variable in _inside(access.loops) if variable.kind == "parallel"],
        },
    )


def same(one: Term, other: Term) -> bool:
    """Whether two terms are equal for all values."""
    return linear(Apply("sub", (one, other))) == (0, {})
