"""Cases in which conditions hold, and bounds that conditions give: proofs and witnesses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .terms import Apply, Term, Variable, interval, is_known, linear, source, variables

_CORNERS = 8
"""Most variables whose ends are all tried together."""


@dataclass
class Budget:
    """Evaluations of conditions that are left: what is not decided within them stays unknown. A GEMM needs none;
    20,000 take about 10 ms."""

    left: int = 20_000
    each: int = 5_000


@dataclass(frozen=True)
class Answer:
    """``values`` is a case in which all conditions hold. Without one, ``impossible`` says that there is none."""

    values: dict[Variable, int] | None = None
    impossible: bool = False


def highest(term: Term, conditions: Iterable[Term]) -> float:
    """An upper bound of ``term`` where ``conditions`` hold."""
    best = interval(term)[1]
    constant, atoms = linear(term)
    for condition in conditions:
        for bound, limit in _inequalities(condition):
            shared = next((atom for atom in bound if atom in atoms), None)
            if shared is None or atoms[shared] % bound[shared] or atoms[shared] // bound[shared] <= 0:
                continue
            times = atoms[shared] // bound[shared]
            rest: Term = constant + times * limit
            for atom in {*atoms, *bound}:
                factor = atoms.get(atom, 0) - times * bound.get(atom, 0)
                rest = Apply("add", (rest, Apply("mul", (factor, atom))))
            best = min(best, interval(rest)[1])
    return best


def lowest(term: Term, conditions: Iterable[Term]) -> float:
    """A lower bound of ``term`` where ``conditions`` hold."""
    return -highest(Apply("mul", (-1, term)), conditions)


def _inequalities(condition: Term) -> list[tuple[dict[Term, int], int]]:
    """The condition as sums of atoms that are at most a number."""
    if not isinstance(condition, Apply) or condition.op not in ("lt", "le", "eq"):
        return []
    constant, atoms = linear(Apply("sub", condition.args))
    if not atoms:
        return []
    if condition.op == "eq":
        return [(atoms, -constant), ({atom: -factor for atom, factor in atoms.items()}, constant)]
    return [(atoms, -constant - (condition.op == "lt"))]


def solve(conditions: Sequence[Term], budget: Budget) -> Answer:
    """A case in which all ``conditions`` hold: first the ends of all variables, then every case or a sample."""
    for condition in conditions:
        if isinstance(condition, int):
            if not condition:
                return Answer(impossible=True)
        elif interval(condition) == (0, 0):
            return Answer(impossible=True)
    if not all(map(is_known, conditions)):
        return Answer()
    free = sorted(frozenset().union(*map(variables, conditions)), key=lambda variable: variable.name)
    if any(math.isinf(variable.first) or math.isinf(variable.last) for variable in free):
        return Answer()
    if any(variable.count == 0 for variable in free):
        return Answer(impossible=True)
    holds = predicate(conditions, free)
    ranges = [range(int(variable.first), int(variable.last) + 1) for variable in free]
    total = math.prod(map(len, ranges))
    if len(free) <= _CORNERS and total > 2 ** len(free):
        found = _first(holds, [sorted({values[0], values[-1]}) for values in ranges], budget)
        if found is not None:
            return Answer(dict(zip(free, found, strict=True)))
    complete = total <= min(budget.each, budget.left)
    chosen = ranges if complete else [_sample(values) for values in ranges]
    if math.prod(map(len, chosen)) > min(budget.each, budget.left):
        return Answer()
    found = _first(holds, chosen, budget)
    if found is not None:
        return Answer(dict(zip(free, found, strict=True)))
    return Answer(impossible=complete)


def predicate(conditions: Sequence[Term], free: Sequence[Variable]) -> Any:
    """A function of the values of ``free``: whether all known ``conditions`` hold."""
    names = {variable: f"v{at}" for at, variable in enumerate(free)}
    return function(
        " and ".join(source(condition, names) for condition in conditions) or "True", list(names.values())
    )


def evaluate(term: Term, values: dict[Variable, int]) -> int:
    """The value of a known ``term`` in the case ``values``, which has all its variables."""
    free = sorted(variables(term), key=lambda variable: variable.name)
    names = {variable: f"v{at}" for at, variable in enumerate(free)}
    return int(function(source(term, names), list(names.values()))(*(values[variable] for variable in free)))


def function(body: str, names: Sequence[str]) -> Any:
    """A function of ``names`` that computes ``body``, which is source made by `terms.source`."""
    scope = {"tdiv": _tdiv, "tmod": _tmod, "min": min, "max": max, "__builtins__": {}}
    return eval(f"lambda {', '.join(names)}: {body}", scope)


def _first(holds: Any, ranges: Sequence[Sequence[int]], budget: Budget) -> tuple[int, ...] | None:
    for values in itertools.product(*ranges):
        budget.left -= 1
        try:
            if holds(*values):
                return values
        except (ZeroDivisionError, OverflowError, ValueError):
            continue
    return None


def _sample(values: Sequence[int]) -> list[int]:
    last = len(values) - 1
    return [values[at] for at in sorted({0, min(1, last), last // 2, max(last - 1, 0), last})]


def _tdiv(one: int, other: int) -> int:
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def _tmod(one: int, other: int) -> int:
    return one - other * _tdiv(one, other)
