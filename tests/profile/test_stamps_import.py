"""Profiles of `tilescope profile`, read like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import GENERATED, Place
from tilescope_trace.profile.stamps.document import (
    SCHEMA,
    StampedKernel,
    StampPlace,
    StampProfile,
    StampSite,
    Timing,
    WarpStamps,
    write,
)

from .cuda_files import lane_path

SITES = (
    StampSite(1, 46, 46, "wait", "producer", (StampPlace("gemm.py", 20),), "mbarrier[3].wait(0);"),
    StampSite(2, 48, 52, "copy", "producer", (StampPlace("gemm.py", 21),), "tl::tma_load(...);"),
)


def profile(*warps: WarpStamps, clock: float | None = 2.0, sites: tuple[StampSite, ...] = SITES) -> StampProfile:
    kernel = StampedKernel(
        "main_kernel", "matmul.main", "ab" * 32, "gemm.tscope", (16, 32, 1), (384, 1, 1), 3, clock,
        Timing((10.0,), (10.1,), 0.01), sites, warps,
    )  # fmt: skip
    device = {"name": "NVIDIA H200", "multiprocessors": 132}
    return StampProfile(SCHEMA, "0.1", "2026-11-29T00:00:00+00:00", ("python", "a.py"), device, 8, (kernel,))


WARPS = (
    WarpStamps(0, 0, 128, 1_000_000, 1_000_320, 640, full=False, stamps=(1, 0, 2, 200, 1, 500)),
    WarpStamps(5, 3, 7, 1_000_064, None, None, full=True, stamps=(2, 10, 1, 30)),
)


@pytest.mark.parametrize("name", ["stamps.json", "stamps.json.gz"])
def test_warps_are_lanes_and_stamps_are_slices(tmp_path: Path, name: str) -> None:
    write(profile(*WARPS), tmp_path / name)
    (found,) = load_profiles(tmp_path / name)
    columns = found.slices
    slices = [
        (lane_path(found, columns.lane[at]), found.slice_name(at), columns.start_ns[at], columns.duration_ns[at])
        for at in range(len(columns))
    ]
    first, second = ("SM 128", "block 0", "warp 0"), ("SM 7", "block 5", "warp 3")
    # Two cycles are a nanosecond; the last stamp ends with the warp, and is left out where its end is not known.
    assert slices == [
        (first, "wait for a free stage", 1_000_000, 100),
        (first, "copy", 1_000_100, 150),
        (first, "wait for a free stage", 1_000_250, 70),
        (second, "copy", 1_000_069, 10),
    ]
    assert found.places[columns.place[1]] == (Place(GENERATED, 48), Place("gemm.py", 21))


def test_a_launch_names_its_compile_and_what_it_cost(tmp_path: Path) -> None:
    write(profile(*WARPS), tmp_path / "stamps.json")
    (found,) = load_profiles(tmp_path / "stamps.json")
    (launch,) = found.launches
    assert (launch.name, launch.grid, launch.annotation) == ("main_kernel", (16, 32, 1), "tl:" + "ab" * 8)
    notes = [note.message for note in found.notes]
    assert "main_kernel: 2 of 512 blocks are sampled; stamps cost +1.0%" in notes
    assert "main_kernel: 1 warps had no room for all their stamps; later ones are missing" in notes


def test_an_unknown_clock_is_said(tmp_path: Path) -> None:
    write(profile(*WARPS, clock=None), tmp_path / "stamps.json")
    (found,) = load_profiles(tmp_path / "stamps.json")
    assert any("lengths are in cycles" in note.message for note in found.notes)


def test_a_stamp_without_a_site_is_named(tmp_path: Path) -> None:
    write(profile(*WARPS, sites=SITES[:1]), tmp_path / "stamps.json")
    with pytest.raises(ProfileError, match="a stamp 2 has no site"):
        load_profiles(tmp_path / "stamps.json")


def test_a_file_that_is_cut_off_is_named(tmp_path: Path) -> None:
    write(profile(*WARPS), tmp_path / "stamps.json")
    data = (tmp_path / "stamps.json").read_bytes()
    (tmp_path / "stamps.json").write_bytes(data[: len(data) // 2])
    with pytest.raises(ProfileError, match=r"stamps\.json: .*; expected a profile of the schema"):
        load_profiles(tmp_path / "stamps.json")
