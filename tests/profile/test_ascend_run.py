"""Folders of one run: each launch once, whatever tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Metric, Profile

from .ascend_files import timeline, write_database, write_details, write_json

TORCH, MSPROF = "ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output"


def names(profile: Profile) -> list[str]:
    return [one.name for one in profile.launches]


@pytest.mark.parametrize("given", ["rank0_ascend_pt", f"rank0_ascend_pt/{TORCH}", "."])
def test_a_folder_of_torch_npu_is_one_profile(tmp_path: Path, given: str) -> None:
    output = tmp_path / "rank0_ascend_pt" / TORCH
    write_json(output / "trace_view.json", timeline())
    write_details(output / "kernel_details.csv")
    write_database(output / "ascend_pytorch_profiler_0.db")
    (profile,) = load_profiles(tmp_path / given)
    assert names(profile) == ["main_kernel_mix_aic", "Add"]
    assert [note.message for note in profile.notes] == [
        "ascend_pytorch_profiler_0.db tells the same run once more and is not read"
    ]
    first, second = profile.launches
    assert (first.grid, first.kind, first.metrics["aic_mac_ratio"]) == ((20, 1, 1), "MIX_AIC", Metric(0.81))
    assert (second.grid, second.kind, second.annotation) == ((8, 1, 1), "AI_VECTOR_CORE", "tl:0123456789ab")


def test_slices_of_a_timeline_in_parts_are_put_together(tmp_path: Path) -> None:
    output = tmp_path / "PROF_000001_1" / MSPROF
    events = timeline()
    write_json(output / "msprof_slice_0_1.json", events[:6])
    write_json(output / "msprof_slice_1_1.json", events[6:])
    (profile,) = load_profiles(tmp_path)
    assert names(profile) == ["main_kernel_mix_aic", "Add"]
    assert "no table of kernels" in profile.notes[0].message


def test_without_a_timeline_the_database_counts_and_else_the_table(tmp_path: Path) -> None:
    first, second = tmp_path / "PROF_1", tmp_path / "PROF_2"
    write_database(first / "msprof_1.db")
    write_details(first / MSPROF / "op_summary_1.csv")
    write_details(second / MSPROF / "op_summary_1.csv")
    of_database, of_table = load_profiles(tmp_path)
    assert names(of_database) == names(of_table) == ["main_kernel_mix_aic", "Add"]
    assert len(of_database.flows) == 3
    assert len(of_table.flows) == 0


def test_rows_of_no_task_are_told(tmp_path: Path) -> None:
    output = tmp_path / TORCH
    write_json(output / "trace_view.json", timeline()[:4])
    write_details(output / "kernel_details.csv")
    (profile,) = load_profiles(tmp_path)
    assert names(profile) == ["main_kernel_mix_aic"]
    assert [note.message for note in profile.notes] == [
        "1 rows of kernel_details.csv are of no task of the timeline and left out"
    ]


def test_raw_data_of_msprof_says_how_to_export_it(tmp_path: Path) -> None:
    raw = tmp_path / "PROF_1"
    (raw / "host" / "data").mkdir(parents=True)
    (raw / "device_0" / "data").mkdir(parents=True)
    (profile,) = load_profiles(raw)
    assert profile.nothing_to_show is not None
    assert f"msprof --export=on --output={raw}" in profile.nothing_to_show


def test_an_empty_output_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / TORCH).mkdir()
    (profile,) = load_profiles(tmp_path)
    assert profile.nothing_to_show is not None
    assert "neither timeline, database nor table" in profile.nothing_to_show


def test_settings_of_the_profiler_hold_nothing(tmp_path: Path) -> None:
    path = write_json(tmp_path / "profiler_info_0.json", {"config": {"experimental_config": {}}, "rank_id": 0})
    (profile,) = load_profiles(path)
    assert profile.nothing_to_show is not None
    assert "settings only" in profile.nothing_to_show
