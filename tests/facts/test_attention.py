"""A flash-attention kernel on sm_90a: every statement is covered, the ones that macros of TileLang make as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="module")
def facts(facts_of: Callable[..., Any]) -> Any:
    return facts_of("flash_attention.py", "attention", "cuda:sm_90a", batch=1, heads=16, seq_len=2048, dim=128)


def test_every_statement_of_the_body_has_its_operation(facts: Any) -> None:
    written = {
        number
        for number, line in enumerate(facts.text.splitlines(), 1)
        if line.strip().startswith(("T.", "for ")) and "T.Kernel" not in line
    }
    assert {op.line for op in facts.operations} == written
    assert all(op.lowered_to for op in facts.operations if op.kind != "pipeline")


def test_copies(facts: Any) -> None:
    lowered = {op.detail["dst"]: op.lowered_to for op in facts.operations if op.kind == "copy"}
    assert lowered == {
        "Q_shared": ("tma_load",),
        "K_shared": ("tma_load",),
        "V_shared": ("tma_load",),
        "scores_max_prev": ("register",),
        "acc_s_cast": ("register",),
        "O_shared": ("stmatrix",),
        "Output": ("tma_store",),
    }


def test_gemms_and_reductions(facts: Any) -> None:
    first, second = (op for op in facts.operations if op.kind == "gemm")
    assert first.lowered_to == second.lowered_to == ("wgmma",)
    assert (first.detail["transpose_B"], second.detail["transpose_B"]) == (True, False)
    assert first.detail["policy"] == second.detail["policy"] == "FullRow"
    assert second.detail["A_scope"] == "local.fragment"
    reductions = [op for op in facts.operations if op.kind == "reduce"]
    assert [op.detail["reduce"] for op in reductions] == ["max", "sum"]
    assert [op.detail["clear"] for op in reductions] == [False, True]
    assert [op.line for op in reductions] == [facts.line("T.reduce_max"), facts.line("T.reduce_sum")]


def test_fragments(facts: Any) -> None:
    accumulator, row = facts.buffer("acc_o").layout, facts.buffer("logsum").layout
    assert (accumulator.registers_per_thread, accumulator.threads, accumulator.replicate) == (64, 256, 1)
    assert (row.registers_per_thread, row.replicate) == (2, 4)
    assert facts.buffer("acc_s_cast").layout.registers_per_thread == accumulator.registers_per_thread // 2
    mapping = facts.at("for i, j in T.Parallel(block_M, block_N)").detail
    assert (mapping["threads"], mapping["elements_per_thread"]) == (256, 64)


def test_stages_and_launch(facts: Any) -> None:
    assert {name: facts.buffer(name).stages for name in ("Q_shared", "K_shared", "V_shared")} == {
        "Q_shared": 1,
        "K_shared": 2,
        "V_shared": 2,
    }
    assert (facts.launch.grid, facts.launch.threads, facts.launch.threads_lowered) == ((16, 16, 1), 256, 384)
    shared = sum(buffer.bytes for buffer in facts.buffers if buffer.scope == "shared.dyn")
    assert facts.launch.shared_dynamic_bytes <= shared
