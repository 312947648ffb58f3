"""Vector widths of accesses that the compiler guards, and of those that are no vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_copies_guarded_by_a_size_known_at_run_time_are_vectors(facts_of: Callable[..., Any]) -> None:
    facts = facts_of("runtime_shapes.py", "guarded", "cuda:sm_80")
    for piece in ("T.copy(A[bx * 64", "T.copy(S, B[bx * 64"):
        copy = facts.at(piece)
        assert copy.lowered_to == ("vector_ld", "vector_st")
        assert (copy.detail["vector_elements"], copy.detail["vector_bytes"]) == (8, 16)
    assert "condval = *(uint4*)" in facts.source


def test_the_width_follows_the_row(facts_of: Callable[..., Any]) -> None:
    facts = facts_of("runtime_shapes.py", "guarded", "cuda:sm_80", N=65)
    copy = facts.at("T.copy(A[bx * 64")
    assert (copy.lowered_to, copy.detail["vector_bytes"]) == (("scalar",), 2)


@pytest.mark.parametrize("target", ["cuda:sm_80", "cuda:sm_90a"])
def test_a_gather_is_scalar(facts_of: Callable[..., Any], target: str) -> None:
    loop = facts_of("runtime_shapes.py", "gather", target).at("T.Parallel(512)")
    assert "scalar" in loop.lowered_to
    assert loop.detail["vector_bytes"] == 4
