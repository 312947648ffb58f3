"""What a block takes of the machine: registers, barriers, memories, cores; numbers follow the kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tilescope_worker import registers, targets
from tilescope_worker.wire.facts import Flag, MemoryUse, WarpGroup

FactsOf = Callable[..., Any]
GEMM = ("staged_gemm.py", "matmul")


def test_a_warp_specialized_gemm(facts_of: FactsOf) -> None:
    facts = facts_of(*GEMM, "cuda:sm_90a")
    launch = facts.launch
    assert launch.warp_groups == (WarpGroup("producer", 128, 24), WarpGroup("consumer", 128, 240))
    assert [int(n) for n in re.findall(r"warpgroup_reg_\w+<(\d+)>", facts.source)] == [24, 240]
    assert launch.barriers == sum(map(int, re.findall(r"uint64_t \w+\[(\d+)\]", facts.source))) == 6
    # The static part is rounded up to where the dynamic part begins: the alignment that its declaration asks for.
    assert "extern __shared__ __align__(1024)" in facts.source
    assert launch.memory == (MemoryUse("shared", 1024 + 49152, 49152),)
    assert launch.fragment_registers == facts.buffer("C_local").layout.registers_per_thread == 128
    assert (launch.cluster, launch.tensor_memory_columns) == (None, None)


def test_clusters(facts_of: FactsOf) -> None:
    pairs = {"threads=block)": "threads=block, cluster_dims=(2, 1, 1))"}
    assert facts_of("lines_elementwise.py", "add_one", "cuda:sm_90a", edit=pairs).launch.cluster == (2, 1, 1)


def test_tensor_memory(facts_of: FactsOf) -> None:
    facts = facts_of("tensor_memory_gemm.py", "matmul", "cuda:sm_100a")
    assert facts.launch.tensor_memory_columns == 128
    assert "tmem_allocate((&(C_t[0])), 128)" in facts.source


def test_buffers_that_do_not_meet_share_their_place(facts_of: FactsOf) -> None:
    facts = facts_of("rules/smem_limit_good.py", "one_after_the_other", "cuda:sm_80")
    (shared,) = facts.launch.memory
    assert (shared.bytes, shared.declared_bytes) == (131072, 2 * 131072)


def test_reductions_and_atomics(facts_of: FactsOf) -> None:
    facts = facts_of("mixed_operations.py", "mixed", "cuda:sm_90a")
    reduce = facts.at("T.reduce_sum").detail
    assert (reduce["reduce_threads"], reduce["reduce_stride"]) == (16, 1)
    assert f"<tl::SumOp, {16 * 1}, 1," in reduce["all_reduce"]
    wide = facts.at("T.atomic_add(C[bx * 128, 0], G)").detail
    assert (wide["atomic_elements"], wide["atomic_bytes"], wide["dst_scope"]) == (4, 16, "global")
    assert "AtomicAddx4(" in facts.source


def test_a_cube_kernel(facts_of: FactsOf) -> None:
    facts = facts_of("ascend_dialect.py", "gemm", "ascend", M=1024, N=512, K=256)
    launch = facts.launch
    assert launch.cores == ("cube",)
    sizes = {use.space: (use.bytes, use.declared_bytes) for use in launch.memory}
    assert sizes == {"l1": (2 * 128 * 64 * 2, 2 * 128 * 64 * 2), "l0c": (128 * 128 * 4, 128 * 128 * 4)}
    assert Flag("MTE2_MTE1", 1, 1, (0,)) in launch.flags
    for flag in launch.flags:
        first, second = (f"PIPE_{name}" for name in flag.event.split("_"))
        assert facts.source.count(f"asc_sync_notify({first}, {second},") == flag.sets
        assert facts.source.count(f"asc_sync_wait({first}, {second},") == flag.waits
    copy = facts.at("T.copy(A[by").detail
    assert (copy["core"], copy["dma_row_bytes"], copy["dma_aligned"]) == ("cube", 128, True)
    assert 0 < copy["issue_cycles"] <= copy["latency_cycles"]


def test_a_vector_kernel(facts_of: FactsOf) -> None:
    facts = facts_of("ascend_dialect.py", "vadd", "ascend", N=4096, block=512)
    assert facts.launch.cores == ("vector",)
    assert facts.launch.memory == (MemoryUse("ub", 3 * 512 * 4, 3 * 512 * 4),)
    assert [flag.event for flag in facts.launch.flags] == ["MTE2_V", "V_MTE3"]
    assert facts.at("for i in T.Parallel(block)").detail["core"] == "vector"


def test_larger_tiles_take_more_cycles(facts_of: FactsOf) -> None:
    small, large = (
        facts_of("ascend_dialect.py", "gemm", "ascend", M=1024, N=512, K=256, bK=tile).at("T.gemm(").detail
        for tile in (64, 128)
    )
    assert small["latency_cycles"] < large["latency_cycles"]


def test_rows_that_are_no_multiple_of_a_unit(facts_of: FactsOf) -> None:
    simt = {"with T.SimdVF():": "with T.SimtVF(threads=100):"}
    facts = facts_of("ascend_dialect.py", "vadd", "ascend", edit=simt, N=4100, block=100)
    odd = facts.at("T.copy(A[bx * block]").detail
    assert (odd["dma_row_bytes"], odd["dma_aligned"]) == (400, False)


REPORT = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'main_kernel' for 'sm_90a'
ptxas info    : Function properties for main_kernel
    1552 bytes stack frame, 3000 bytes spill stores, 2456 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 1552 bytes cumulative stack size, 1024 bytes smem
"""


def test_the_assemblers_report() -> None:
    assert registers.parse(REPORT) == registers.Usage(255, 5456, 1552, 1024)
    with pytest.raises(registers.RegistersUnknownError, match="nvcc reported none"):
        registers.parse("nvcc warning : nothing compiled")


def test_registers_are_asked_of_nvcc_only(facts_of: FactsOf) -> None:
    with pytest.raises(registers.RegistersUnknownError, match="not known for metal"):
        registers.measure("", targets.resolve("metal"), {})


def test_without_nvcc_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("PATH", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.setenv(variable, "/nowhere")
    with pytest.raises(registers.RegistersUnknownError, match="there is no nvcc here"):
        registers.measure("", targets.resolve("cuda:sm_90a"), {})


@pytest.mark.skipif(registers.find() is None, reason="needs nvcc")
def test_registers_follow_compile_flags(facts_of: FactsOf) -> None:
    source = facts_of("lines_elementwise.py", "add_one", "cuda:sm_90a").source
    target = targets.resolve("cuda:sm_90a")
    free = registers.measure(source, target, {})
    assert 0 < free.registers < 64
    assert (free.spill_bytes, free.stack_bytes, free.shared_static_bytes) == (0, 0, 0)
    with pytest.raises(registers.RegistersUnknownError, match=r"nvcc refuses the generated source: .*--no-such-flag"):
        registers.measure(source, target, {"tl.device_compile_flags": ["--no-such-flag"]})
