"""Ranges that warp specialization has emptied, explained with what the recording of the kernel tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.emptied import emptied_ranges
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.recorded import RecordedKernel
from tilescope_trace.profile.timeline import timeline_file

from .cuda_files import load

KERNEL = RecordedKernel(
    Path("gemm.tscope"), "gemm_iket", ("gemm_iket_kernel",), "cuda:sm_90a", None, "2026-11-29", (4, 4), 256,
    warp_specialized=True, producer_lines=(14, 15),
)  # fmt: skip


def noted(profile: Profile, kernel: RecordedKernel) -> str:
    (note,) = timeline_file(profile, correlate(profile, (kernel,))).notes
    assert note.subject == "load"
    return note.message


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load("iket_pipe.trace.json.gz")


def test_the_recording_says_where_the_copies_went(profile: Profile) -> None:
    message = noted(profile, KERNEL)
    assert "gemm.tscope is warp-specialized: what lines 14, 15 say runs in the producer's warps" in message
    assert message.startswith('"load" is empty: 512 ranges in 64 warps, median 0 ns, longest 32 ns')


def test_without_specialization_that_is_not_the_reason(profile: Profile) -> None:
    message = noted(profile, replace(KERNEL, warp_specialized=False, producer_lines=()))
    assert "gemm.tscope is not warp-specialized" in message
    assert "producer" not in message


def test_a_recording_that_does_not_fit_explains_nothing(profile: Profile) -> None:
    assert noted(profile, replace(KERNEL, threads=128)) == emptied_ranges(profile)[0].message


def test_ranges_that_measure_something_are_not_empty(profile: Profile) -> None:
    names = {profile.slice_name(at) for at in range(len(profile.slices))}
    assert {"load", "mma", "epilogue"} <= names
    assert [found.name for found in emptied_ranges(profile)] == ["load"]
