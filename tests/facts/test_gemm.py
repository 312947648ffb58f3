"""A pipelined GEMM: what the compiler decides on each target, and that the facts follow the kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

GEMM = ("staged_gemm.py", "matmul")
PLAIN = {"tl.disable_warp_specialized": True, "tl.disable_tma_lower": True}
FactsOf = Callable[..., Any]


def test_hopper_buffers(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a")
    assert facts.stage == "lowered"
    assert [b.name for b in facts.buffers] == ["A", "B", "C", "A_shared", "B_shared", "C_local"]
    a, b, c = facts.buffer("A_shared"), facts.buffer("B_shared"), facts.buffer("C_local")
    assert (a.shape, a.dtype, a.scope, a.stages, a.bytes) == ((128, 32), "float16", "shared.dyn", 3, 3 * 128 * 32 * 2)
    assert (b.shape, b.stages) == ((32, 128), 3)
    assert (a.layout.kind, a.layout.swizzle, b.layout.swizzle) == ("shared", "64B", "128B")
    assert (c.scope, c.stages, c.layout.kind) == ("local.fragment", 1, "fragment")
    assert (c.layout.registers_per_thread, c.layout.threads, c.layout.replicate) == (128, 128, 1)
    assert (facts.buffer("A").scope, facts.buffer("A").layout) == ("global", None)
    assert [x.line for x in (a, b, c)] == [facts.line(f"{x.name} = ") for x in (a, b, c)]
    assert facts.buffer("A").line == facts.line("def main(")


def test_hopper_launch(facts_of: FactsOf) -> None:
    launch = facts_of(*GEMM, "cuda:sm_90a").launch
    assert (launch.grid, launch.threads, launch.threads_lowered) == ((8, 8), 128, 256)
    assert launch.line == facts_of(*GEMM, "cuda:sm_90a").line("T.Kernel(")
    assert launch.shared_dynamic_bytes == 3 * (128 * 32 + 32 * 128) * 2
    assert launch.shared_static_bytes == 8 * _barriers(facts_of(*GEMM, "cuda:sm_90a").source)


def _barriers(source: str) -> int:
    """How many barriers the generated code declares."""
    (count,) = re.findall(r"uint64_t \w+\[(\d+)\]", source)
    return int(count)


def test_hopper_operations(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a")
    assert [op.kind for op in facts.operations] == ["fill", "pipeline", "copy", "copy", "gemm", "copy"]
    assert facts.at("T.copy(A[").lowered_to == ("tma_load",)
    assert facts.at("T.copy(B[").lowered_to == ("tma_load",)
    gemm = facts.at("T.gemm(")
    assert (gemm.lowered_to, gemm.detail["instruction"]) == (("wgmma",), "wgmma m64n128k16")
    assert {key: gemm.detail[key] for key in "ABCMNK"} == {
        "A": "A_shared",
        "B": "B_shared",
        "C": "C_local",
        "M": 128,
        "N": 128,
        "K": 32,
    }
    out = facts.at("T.copy(C_local")
    assert (out.lowered_to, out.detail["vector_elements"], out.detail["vector_bytes"]) == (("vector_st",), 2, 4)
    loop = facts.at("T.Pipelined").detail
    assert (loop["num_stages"], loop["stages"]) == (3, 3)
    assert (loop["producer_threads"], loop["consumer_threads"]) == (128, 128)
    assert facts.at("T.clear").lowered_to == ("register",)


def test_pass_configs_turn_off_tma_and_warp_specialization(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a", PLAIN)
    assert (facts.launch.threads, facts.launch.threads_lowered) == (128, 128)
    for piece in ("T.copy(A[", "T.copy(B["):
        copy = facts.at(piece)
        assert (copy.lowered_to, copy.detail["vector_bytes"]) == (("cp_async",), 16)
    loop = facts.at("T.Pipelined").detail
    assert (loop["stage"], loop["order"], loop["async_producers"]) == ([0, 0, 2], [0, 1, 2], [1, 1, 0])
    assert "producer_threads" not in loop


def test_ampere(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_80", num_stages=2)
    assert facts.buffer("A_shared").stages == facts.at("T.Pipelined").detail["stages"] == 2
    assert facts.at("T.copy(A[").lowered_to == ("cp_async",)
    gemm = facts.at("T.gemm(")
    assert (gemm.lowered_to, gemm.detail["instruction"]) == (("ldmatrix", "mma"), "mma m16n8k16")


@pytest.mark.parametrize(("stages", "tile"), [(2, 64), (4, 128)])
def test_numbers_follow_the_kernel(facts_of: FactsOf, stages: int, tile: int) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a", num_stages=stages, bN=tile, bK=64)
    b = facts.buffer("B_shared")
    assert (b.shape, b.stages, b.bytes) == ((64, tile), stages, stages * 64 * tile * 2)
    assert facts.buffer("A_shared").layout.swizzle == "128B"
    assert facts.buffer("C_local").layout.registers_per_thread == 128 * tile // 128
    assert facts.at("T.Pipelined").detail["stages"] == stages
    assert facts.launch.grid == (1024 // tile, 8)
    assert facts.at("T.gemm(").detail["instruction"] == f"wgmma m64n{tile}k16"


def test_half_the_threads_hold_twice_the_registers(facts_of: FactsOf) -> None:
    wide = facts_of(*GEMM, "cuda:sm_90a", PLAIN, threads=256)
    assert wide.launch.threads == wide.launch.threads_lowered == 256
    layout = wide.buffer("C_local").layout
    assert (layout.registers_per_thread, layout.threads) == (64, 256)


def test_vector_width_follows_the_element_size(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a", PLAIN, dtype="float32", bK=16)
    assert facts.buffer("A_shared").bytes == 3 * 128 * 16 * 4
    assert facts.at("T.copy(A[").detail["vector_elements"] == 4


def test_lines_follow_the_text(facts_of: FactsOf) -> None:
    moved = facts_of(
        *GEMM, "cuda:sm_90a", edit={"            T.clear(C_local)\n": "\n\n            T.clear(C_local)\n"}
    )
    straight = facts_of(*GEMM, "cuda:sm_90a")
    assert moved.at("T.gemm(").line == straight.at("T.gemm(").line + 2
    assert moved.at("T.gemm(").lowered_to == straight.at("T.gemm(").lowered_to


def test_hip(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "hip:gfx942")
    assert facts.at("T.gemm(").lowered_to[-1] == "mfma"
    assert facts.at("T.copy(A[").lowered_to == ("vector_ld", "vector_st")
    assert facts.at("T.Pipelined").detail["num_stages"] == 3
    assert facts.at("T.Pipelined").detail["stages"] == facts.buffer("A_shared").stages == 1


def test_metal(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "metal", M=256, N=256, K=128)
    assert facts.at("T.gemm(").lowered_to == ("simdgroup",)
    assert facts.launch.threads == 128


def test_tensor_memory_on_blackwell(facts_of: FactsOf) -> None:
    facts = facts_of("tensor_memory_gemm.py", "matmul", "cuda:sm_100a")
    assert facts.at("T.gemm(").lowered_to == ("tcgen05",)
    assert facts.at("T.copy(C_t").lowered_to == ("tcgen05_ld",)
    assert (facts.buffer("C_t").scope, facts.buffer("C_t").layout.kind) == ("shared.tmem", "other")
    assert facts.buffer("mbar").scope == "shared.barrier"
