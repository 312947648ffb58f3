"""The table of limits, and the occupancy that follows from it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.limits import TARGETS, docs, limits_of
from tilescope_trace.occupancy import occupancy

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


def test_the_page_is_current() -> None:
    written = Path(__file__).parents[2] / "docs" / "limits.md"
    assert written.read_text(encoding="utf-8") == docs.page(), "run make docs"
