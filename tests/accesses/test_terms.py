"""Terms and what is proved about them, against every case of small domains."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_worker.facts.accesses.solve import Budget, evaluate, highest, lowest, solve
from tilescope_worker.facts.accesses.terms import Apply, Term, Variable, conjuncts, interval, linear, text

VARIABLES = (
    Variable("i", "parallel", 0, 5),
    Variable("j", "serial", -2, 3),
    Variable("bx", "block", 1, 4),
)
DOMAIN = [
    dict(zip(VARIABLES, values, strict=True))
    for values in itertools.product(*(range(int(one.first), int(one.last) + 1) for one in VARIABLES))
]


def _applied(op: str, *inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Term]:
    return st.tuples(*inner).map(lambda args: Apply(op, args))


def _numbers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Term]:
    constants = st.integers(1, 7)
    return st.one_of(
        *(_applied(op, inner, inner) for op in ("add", "sub", "min", "max", "mul")),
        *(_applied(op, inner, constants) for op in ("mul", "div", "mod", "tdiv", "tmod", "shr", "band")),
        _applied("select", st.tuples(inner, inner).map(lambda args: Apply("lt", args)), inner, inner),
    )


TERMS = st.recursive(st.one_of(st.integers(-9, 9), st.sampled_from(VARIABLES)), _numbers, max_leaves=6)
COMPARISONS = st.one_of(*(_applied(op, TERMS, TERMS) for op in ("lt", "le", "eq", "ne")))
CONDITIONS = st.recursive(
    COMPARISONS,
    lambda inner: st.one_of(_applied("and", inner, inner), _applied("or", inner, inner), _applied("not", inner)),
    max_leaves=3,
)


@given(TERMS)
@settings(max_examples=150, deadline=None)
def test_bounds_hold_every_value(term: Term) -> None:
    low, high = interval(term)
    values = [evaluate(term, case) for case in DOMAIN]
    assert low <= min(values)
    assert max(values) <= high


@given(TERMS)
@settings(max_examples=100, deadline=None)
def test_a_linear_form_has_the_value_of_its_term(term: Term) -> None:
    constant, atoms = linear(term)
    for case in DOMAIN[::7]:
        assert evaluate(term, case) == constant + sum(factor * evaluate(one, case) for one, factor in atoms.items())


@given(st.lists(st.integers(-4, 4), min_size=3, max_size=3), st.integers(-9, 9))
def test_bounds_of_sums_are_reached(factors: list[int], constant: int) -> None:
    term: Term = constant
    for factor, variable in zip(factors, VARIABLES, strict=True):
        term = Apply("add", (term, Apply("mul", (factor, variable))))
    values = [evaluate(term, case) for case in DOMAIN]
    assert interval(term) == (min(values), max(values))


@given(TERMS, st.lists(CONDITIONS, max_size=2))
@settings(max_examples=150, deadline=None)
def test_bounds_under_conditions_hold_every_value_there(term: Term, conditions: list[Term]) -> None:
    parts = [part for condition in conditions for part in conjuncts(condition)]
    values = [evaluate(term, case) for case in DOMAIN if all(evaluate(one, case) for one in conditions)]
    if values:
        assert lowest(term, parts) <= min(values)
        assert max(values) <= highest(term, parts)


@given(st.lists(CONDITIONS, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_witnesses_are_cases_and_impossible_is_so(conditions: list[Term]) -> None:
    real = [case for case in DOMAIN if all(evaluate(one, case) for one in conditions)]
    answer = solve(conditions, Budget())
    if answer.values is not None:
        case = {**DOMAIN[0], **answer.values}
        assert all(evaluate(one, case) for one in conditions)
    else:
        assert answer.impossible
        assert real == []


@given(CONDITIONS)
@settings(max_examples=80, deadline=None)
def test_conjuncts_say_what_the_whole_says(condition: Term) -> None:
    for case in DOMAIN[::5]:
        assert all(evaluate(part, case) for part in conjuncts(condition)) == bool(evaluate(condition, case))


def test_without_a_budget_nothing_is_claimed() -> None:
    i, j, block = VARIABLES
    condition = Apply("eq", (Apply("mul", (i, Apply("mul", (j, block)))), 7))
    answer = solve([condition], Budget(left=20, each=20))
    assert answer.values is None
    assert not answer.impossible


def test_text_is_as_people_write_it() -> None:
    i, j, block = VARIABLES
    index = Apply("add", (Apply("mul", (Apply("sub", (block, 1)), 64)), Apply("mod", (i, 8))))
    assert text(index) == "(bx - 1) * 64 + i % 8"
    assert text(Apply("sub", (i, Apply("sub", (j, 1))))) == "i - (j - 1)"
    assert text(Apply("load", ("table", j))) == "table[j]"
