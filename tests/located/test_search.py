"""The statement-deletion search, on made-up statements."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tilescope_worker.facts.ir import Location
from tilescope_worker.locate.candidates import Candidate
from tilescope_worker.locate.search import LOWERINGS, Budget, Outcome, narrow


def statements(count: int) -> list[Candidate]:
    return [Candidate(n, f"statement {n}", "copy", Location("/k.py", n + 1)) for n in range(count)]


@pytest.mark.parametrize("count", [1, 2, 5, 32])
def test_one_culprit_is_found_within_the_budget(count: int) -> None:
    for culprit in statements(count):
        tried = 0

        def attempt(left_out: Sequence[Candidate], wanted: int = culprit.index) -> Outcome:
            nonlocal tried
            tried += 1
            return "gone" if any(candidate.index == wanted for candidate in left_out) else "same"

        left, confirmed = narrow(statements(count), attempt, Budget())
        assert [candidate.index for candidate in left] == [culprit.index]
        assert confirmed or tried == LOWERINGS
        assert tried <= LOWERINGS


def test_statements_of_one_line_are_left_out_together() -> None:
    line = Location("/k.py", 3)
    calls = [Candidate(n, f"call {n}", "copy", line) for n in range(3)]
    left, confirmed = narrow(calls, lambda left_out: "gone" if len(left_out) == 3 else "same", Budget())
    assert (left, confirmed) == (tuple(calls), True)


def test_what_no_statement_is_to_blame_for_is_not_blamed_on_one() -> None:
    _, confirmed = narrow(statements(4), lambda _: "same", Budget())
    assert confirmed is False


def test_other_failures_tell_nothing() -> None:
    left, confirmed = narrow(statements(4), lambda _: "other", Budget())
    assert len(left) == 4
    assert confirmed is None


def test_no_lowering_after_the_budget_is_spent() -> None:
    budget = Budget(lowerings=2)
    left, _ = narrow(statements(64), lambda _: "same", budget)
    assert budget.used == 2
    assert len(left) == 16
