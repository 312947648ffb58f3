"""The table of limits, and the occupancy that follows from it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.limits import TARGETS, docs, limits_of
from tilescope_trace.model import Buffer, Kernel, Launch, Layout, MemoryUse, Operation, Specialization
from tilescope_trace.occupancy import is_bound, occupancy, registers_known, with_occupancy
from tilescope_worker.wire.facts import WarpGroup

NOT_NUMBERS = {"target", "name", "spaces", "peaks", "documents"}


@pytest.mark.parametrize("target", TARGETS)
def test_every_number_names_its_document(target: str) -> None:
    limits = TARGETS[target]
    known = {
        field.name
        for field in dataclasses.fields(limits)
        if field.name not in NOT_NUMBERS and getattr(limits, field.name) is not None
    }
    assert known | {f"spaces.{space}" for space in limits.spaces} == limits.documents.keys()
    assert all(limits.documents.values())
    assert all(peak.document and (peak.fp16_tflops or peak.bandwidth_gb_s) for peak in limits.peaks)


def test_features_of_an_architecture_change_no_limit() -> None:
    assert limits_of("cuda:sm_90a") is limits_of("cuda:sm_90")
    assert limits_of("cuda:sm_100f") is limits_of("cuda:sm_100")


@pytest.mark.parametrize("target", ["cuda:sm_999", "hip:gfx906", "c", "", "cuda"])
def test_what_is_not_known_has_no_limits(target: str) -> None:
    assert limits_of(target) is None


def test_shared_memory_of_a_block() -> None:
    sizes = {target: limits.shared_per_block for target, limits in TARGETS.items()}
    assert (sizes["cuda:sm_80"], sizes["cuda:sm_86"], sizes["cuda:sm_90"]) == (166912, 101376, 232448)
    assert (sizes["hip:gfx942"], sizes["hip:gfx950"]) == (65536, 163840)
    assert (sizes["metal"], sizes["webgpu"], sizes["ascend"]) == (32768, 16384, None)


@pytest.mark.parametrize(
    ("target", "threads", "shared", "registers", "blocks", "limiter"),
    [
        # What cuda_occupancy.h of the CUDA Toolkit 13.0 answers.
        ("cuda:sm_75", 256, 32768, 40, 2, "shared memory"),
        ("cuda:sm_80", 128, 49152, 128, 3, "shared memory"),
        ("cuda:sm_80", 1024, 0, 33, 1, "registers"),
        ("cuda:sm_86", 256, 0, 32, 6, "threads"),
        ("cuda:sm_89", 32, 0, 32, 24, "blocks"),
        ("cuda:sm_90", 384, 147456, 168, 1, "registers"),
        ("cuda:sm_90", 128, 57344, 168, 3, "registers"),
        ("cuda:sm_100", 96, 0, 255, 2, "registers"),
        ("cuda:sm_120", 128, 33792, 64, 2, "shared memory"),
    ],
)
def test_occupancy(target: str, threads: int, shared: int, registers: int, blocks: int, limiter: str) -> None:
    found = occupancy(TARGETS[target], threads, shared, registers)
    assert found is not None
    assert (found.blocks_per_sm, found.limiter) == (blocks, limiter)
    assert found.share == found.warps_per_sm / TARGETS[target].warps_per_sm  # type: ignore[operator]


@given(
    target=st.sampled_from(sorted(target for target, one in TARGETS.items() if one.warps_per_sm)),
    threads=st.integers(1, 1024),
    shared=st.integers(0, 1 << 18),
    registers=st.integers(1, 255),
)
def test_knowing_more_never_raises_occupancy(target: str, threads: int, shared: int, registers: int) -> None:
    limits = TARGETS[target]
    bounds = [
        occupancy(limits, threads),
        occupancy(limits, threads, shared),
        occupancy(limits, threads, shared, registers),
    ]
    blocks = [bound.blocks_per_sm if bound is not None else 0 for bound in bounds]
    assert blocks == sorted(blocks, reverse=True)
    assert all(0 < bound.share <= 1 for bound in bounds if bound is not None)


def test_a_block_that_cannot_be_launched_has_no_occupancy() -> None:
    limits = TARGETS["cuda:sm_80"]
    assert occupancy(limits, 2048) is None
    assert occupancy(limits, 128, 166913) is None
    assert occupancy(limits, 1024, 0, 128) is None
    assert occupancy(TARGETS["ascend"], 128) is None


def gemm(launch: Launch, accumulators: int = 128) -> Kernel:
    fragment = Layout("fragment", "", registers_per_thread=accumulators, threads=128)
    operand = Layout("fragment", "", registers_per_thread=200, threads=128)
    return Kernel(
        name="main",
        qualname="main",
        line=1,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="command-line",
        stage="lowered",
        status="ok",
        specialization=Specialization(""),
        launch=launch,
        buffers=(
            Buffer("C_local", 4, 1, (128, 128), "float32", "local.fragment", layout=fragment),
            Buffer("X_local", 5, 1, (128, 200), "float32", "local.fragment", layout=operand),
        ),
        operations=(Operation("gemm", 6, detail={"C": "C_local"}),),
    )


def launched(*groups: WarpGroup, threads: int = 256, registers: int | None = None) -> Launch:
    return Launch(
        threads_lowered=threads,
        shared_dynamic_bytes=49152,
        registers=registers,
        warp_groups=groups,
        memory=(MemoryUse("shared", 50176),),
    )


PRODUCER, CONSUMER = WarpGroup("producer", 128, 24), WarpGroup("consumer", 128, 240)


@pytest.mark.parametrize(
    ("launch", "accumulators", "blocks", "limiter"),
    [
        # 24 * 128 + 240 * 128 of 65536 registers; shared memory alone would leave room for 4 blocks.
        (launched(PRODUCER, CONSUMER), 128, 1, "registers"),
        (launched(PRODUCER, WarpGroup("consumer", 128, 56)), 32, 4, "shared memory"),
        # Registers that a group sets hold its accumulators, too: more were never given.
        (launched(PRODUCER, WarpGroup("consumer", 128, 56)), 160, 4, "shared memory"),
        # As launched, so that each of the 256 threads could hold the accumulators.
        (launched(PRODUCER, WarpGroup("consumer", 128)), 128, 2, "registers"),
        (launched(threads=128), 96, 4, "shared memory"),
        (launched(threads=128), 168, 3, "registers"),
        # More than a thread can have are spilled: 255 to a thread of 128, 64 to one of 1024.
        (launched(threads=128), 1024, 2, "registers"),
        (launched(threads=1024), 512, 1, "registers"),
        # What the assembler tells is no bound.
        (launched(PRODUCER, CONSUMER, registers=168), 128, 1, "registers"),
        (launched(threads=128, registers=64), 168, 4, "shared memory"),
    ],
)
def test_registers_that_a_block_needs_anyhow(launch: Launch, accumulators: int, blocks: int, limiter: str) -> None:
    found = with_occupancy(gemm(launch, accumulators))
    assert found is not None
    assert (found.blocks_per_sm, found.occupancy_limiter) == (blocks, limiter)
    assert is_bound(found) is (launch.registers is None)


def test_nothing_is_known_of_registers_without_groups_and_gemms() -> None:
    limits = TARGETS["cuda:sm_90"]
    kernel = gemm(launched())
    assert registers_known(kernel, limits) == 128
    assert registers_known(dataclasses.replace(kernel, operations=()), limits) is None
    assert registers_known(dataclasses.replace(kernel, launch=None), limits) is None


def test_the_page_is_current() -> None:
    written = Path(__file__).parents[2] / "docs" / "limits.md"
    assert written.read_text(encoding="utf-8") == docs.page(), "run make docs"
