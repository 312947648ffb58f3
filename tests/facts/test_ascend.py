"""Kernels in the Ascend dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FactsOf = Callable[..., Any]


def test_cube(facts_of: FactsOf) -> None:
    facts = facts_of("ascend_dialect.py", "gemm", "ascend", M=1024, N=512, K=256)
    a, c = facts.buffer("A_l1"), facts.buffer("C_l0")
    assert (a.shape, a.scope, a.layout.kind) == ((128, 64), "shared.l1", "fractal")
    assert (c.shape, c.scope, c.layout.kind) == ((128, 128), "shared.l0c", "fractal")
    assert facts.launch.grid == ((1024 // 128) * (512 // 128),)
    for piece in ("T.copy(A[by", "T.copy(B[bx * bN", "T.copy(C_l0"):
        assert facts.at(piece).lowered_to == ("dma",)
    gemm = facts.at("T.gemm(")
    assert (gemm.lowered_to, gemm.detail["transpose_B"], gemm.detail["clear_accum"]) == (("cube",), True, "k == 0")


def test_vector(facts_of: FactsOf) -> None:
    facts = facts_of("ascend_dialect.py", "vadd", "ascend", N=4096, block=512)
    assert (facts.launch.grid, facts.launch.threads) == ((8,), None)
    assert facts.launch.shared_dynamic_bytes == sum(b.bytes for b in facts.buffers if b.scope == "shared.dyn")
    assert facts.at("T.copy(A[bx * block]").lowered_to == ("dma",)
    parallel = facts.at("for i in T.Parallel(block)", nth=0)
    assert (parallel.lowered_to, parallel.detail["extents"]) == (("vector",), [512])


def test_scalar_threads(facts_of: FactsOf) -> None:
    facts = facts_of("ascend_dialect.py", "vadd_simt", "ascend", N=4096)
    parallel = facts.at("for i in T.Parallel(block)", nth=1)
    assert (parallel.lowered_to, facts.launch.threads) == (("scalar",), 128)
