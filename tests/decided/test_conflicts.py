"""Layout conflicts name both claims, and where they meet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tilescope_worker.facts.decided import Conflict

from .conftest import Decided

Of = Callable[..., Decided]


def conflict_of(found: Decided) -> Conflict:
    assert found.error is not None
    assert found.conflict is not None
    return found.conflict


@pytest.mark.parametrize("target", ["cuda:sm_80", "cuda:sm_90a"])
def test_two_gemms_whose_fragments_meet_in_a_loop(decided: Of, target: str) -> None:
    found = decided("cases/03_layout_conflict_cast.py", "kernel", target)
    conflict = conflict_of(found)
    assert conflict.buffers == ("S", "P")
    assert conflict.at is not None
    assert conflict.at.line == found.line("for i, j in T.Parallel")
    assert [place.line for place in conflict.claims] == [found.line("T.gemm(Q_s"), found.line("T.gemm(P")]
    first, second = (place.message for place in conflict.claims)
    assert "accumulates into S as operand C" in first
    assert "reads P as operand A" in second


def test_a_claim_that_was_passed_on_names_its_origin(decided: Of) -> None:
    found = decided(
        "decided_layouts.py",
        "two_products",
        "cuda:sm_80",
        {"P[i, j] = S[i, j] * 0.5": "S[i, j] *= peak[i]", "O[i, j] *= row[i]": "O[i, j] *= peak[i]"},
    )
    conflict = conflict_of(found)
    assert conflict.buffers == ("peak", "O")
    assert conflict.at is not None
    assert conflict.at.line == found.line("O[i, j] *=") - 1
    assert [place.line for place in conflict.claims] == [found.line("T.reduce_max"), found.line("T.gemm(A_s, B_s, O")]


def test_two_gemms_that_want_one_fragment(decided: Of) -> None:
    edit = {"T.gemm(A_s, B_s, O, policy": "T.gemm(A_s, B_s, S, policy"}
    found = decided("decided_layouts.py", "two_products", "cuda:sm_80", edit)
    conflict = conflict_of(found)
    assert conflict.buffers == ("S",)
    first, second = found.line("T.gemm(A_s, B_s, S", 0), found.line("T.gemm(A_s, B_s, S", 1)
    assert conflict.at is not None
    assert conflict.at.line == second
    assert [place.line for place in conflict.claims] == [first, second]


def test_other_failures_are_no_conflicts(decided: Of) -> None:
    found = decided("cases/16_threads_not_multiple.py", "kernel", "cuda:sm_80")
    assert found.error is not None
    assert found.conflict is None
