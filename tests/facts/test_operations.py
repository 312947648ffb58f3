"""Reductions through shared memory, macros, atomics, symbolic shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="module")
def facts(facts_of: Callable[..., Any]) -> Any:
    return facts_of("mixed_operations.py", "mixed", "cuda:sm_80")


def test_symbolic_sizes_are_printed_and_have_no_bytes(facts: Any) -> None:
    assert (facts.buffer("A").shape, facts.buffer("A").bytes) == (("N", 64), None)
    assert facts.launch.grid == ("(N + 128 - 1) // 128",)
    assert facts.launch.threads == 64 * 2


def test_statements_of_a_macro_have_its_lines_once_per_call(facts: Any) -> None:
    line = facts.line("T.copy(S, tmp)")
    copies = [op for op in facts.operations if op.line == line]
    assert [op.kind for op in copies] == ["copy", "copy"]
    assert [b.line for b in facts.buffers if b.name == "tmp"] == [facts.line("tmp = T.alloc_fragment")] * 2


def test_a_reduction_is_one_operation_on_the_authors_buffers(facts: Any) -> None:
    reduction = facts.at("T.reduce_sum")
    assert (reduction.kind, reduction.detail["src"], reduction.detail["dst"]) == ("reduce", "S", "R")
    assert "all_reduce" in reduction.lowered_to
    assert not [b for b in facts.buffers if b.name.endswith("_frag")]


def test_atomics(facts: Any) -> None:
    single = facts.at("T.atomic_add(C[bx * 128 + i")
    tile = facts.at("T.atomic_add(C[bx * 128, 0]")
    assert single.lowered_to == tile.lowered_to == ("atomic",)
    assert (single.detail["dst"], tile.detail["src"]) == ("C", "G")
    assert facts.at("for i, j in T.Parallel", nth=1).lowered_to == ("atomic",)


def test_plain_loops_and_fills(facts: Any) -> None:
    assert facts.at("T.serial(2)").detail == {"loop": "serial", "extent": 2}
    assert facts.at("T.fill(F").detail["value"] == 1.5


def test_a_shared_buffer_without_a_layout_is_row_major(facts: Any) -> None:
    assert facts.buffer("R").layout.swizzle == "none"
