"""Tables of kernels: op_summary, task_time, kernel_details."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Metric, Profile

from .ascend_files import BASE_NS, DETAILS, STREAM, micros, write_details, write_table

SUMMARY = ("Device_id", "Op Name", "OP Type", "Task Type", "Task Start Time(us)", "Task Duration(us)", "Stream ID",
           "Task ID", "Block Dim", "aic_mte2_ratio")  # fmt: skip


def loaded(path: Path) -> Profile:
    (profile,) = load_profiles(path)
    return profile


def test_kernel_details_become_launches_with_their_metrics(tmp_path: Path) -> None:
    profile = loaded(write_details(tmp_path / "kernel_details.csv"))
    first, second = profile.launches
    assert (first.name, first.start_ns, first.duration_ns) == ("main_kernel_mix_aic", BASE_NS, 53_741)
    assert (first.kind, first.grid, first.block) == ("MIX_AIC", (20, 1, 1), None)
    assert first.metrics["aic_mac_ratio"] == Metric(0.81)
    assert first.metrics["cube_utilization"] == Metric(78.5, "%")
    assert first.metrics["Input Shapes"] == Metric("1024,1024;1024,1024")
    assert first.metrics["Mix Block Dim"] == Metric(40.0)
    assert "aiv_vec_time" not in first.metrics
    assert second.metrics["aiv_vec_time"] == Metric(0.7, "us")
    assert profile.lanes[first.lane].title == f"Stream {STREAM}"


def test_communication_is_a_slice_and_no_launch(tmp_path: Path) -> None:
    profile = loaded(write_details(tmp_path / "kernel_details.csv"))
    launched = {one.name for one in profile.launches}
    others = [index for index in range(len(profile.slices)) if profile.slice_name(index) not in launched]
    assert [profile.slice_name(index) for index in others] == ["hcom_allReduce__1"]
    assert profile.lanes[profile.slices.lane[others[0]]].kind == "group"


@pytest.mark.parametrize("start", ["Task Start Time(us)", "Start Time(us)"])
def test_op_summary_of_old_and_new_tools(tmp_path: Path, start: str) -> None:
    header = tuple(start if name == "Task Start Time(us)" else name for name in SUMMARY)
    row = (5, "main_kernel", "main", "AI_CORE", micros(BASE_NS) + "\t", "2.5", 3, 1, 16, 0.25)
    (one,) = loaded(write_table(tmp_path / "op_summary_0.csv", header, row)).launches
    assert (one.start_ns, one.duration_ns, one.device, one.grid) == (BASE_NS, 2_500, 5, (16, 1, 1))
    assert one.metrics["aic_mte2_ratio"] == Metric(0.25)


def test_task_time_of_msprof(tmp_path: Path) -> None:
    header = (
        "kernel_name",
        "kernel_type",
        "stream_id",
        "task_id",
        "task_time(us)",
        "task_start(us)",
        "task_stop(us)",
    )
    rows = [
        ("main_kernel", "KERNEL_AICORE", 3, 1, "2.5", micros(BASE_NS) + "\t", micros(BASE_NS + 2_500)),
        ("MEMCPY_ASYNC", "MEMCPY_ASYNC", 3, 2, "1", micros(BASE_NS + 9_000), micros(BASE_NS + 10_000)),
    ]
    profile = loaded(write_table(tmp_path / "task_time_1.csv", header, *rows))
    assert [(one.name, one.start_ns, one.grid) for one in profile.launches] == [("main_kernel", BASE_NS, None)]
    assert len(profile.slices) == 2


def test_cells_without_a_value_are_unknown_and_not_zero(tmp_path: Path) -> None:
    row = ("N/A", "k", "k", "AI_CORE", "N/A", "NA", "N/A", "N/A", "N/A", "N/A")
    (one,) = loaded(write_table(tmp_path / "op_summary_0.csv", SUMMARY, row)).launches
    assert (one.start_ns, one.duration_ns, one.grid, one.device) == (None, None, None, None)
    assert dict(one.metrics) == {"OP Type": Metric("k")}


def test_rows_with_other_numbers_of_cells_are_left_out_and_told(tmp_path: Path) -> None:
    path = write_details(tmp_path / "kernel_details.csv")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], lines[3].partition(",")[2], lines[3]]) + "\n")
    profile = loaded(path)
    assert [one.name for one in profile.launches] == ["main_kernel_mix_aic", "Add"]
    assert [note.message for note in profile.notes] == [
        f"rows left out, because they do not have {len(DETAILS)} cells: line 3"
    ]


def test_a_file_that_ends_within_a_row_is_truncated(tmp_path: Path) -> None:
    path = write_details(tmp_path / "kernel_details.csv")
    path.write_text(path.read_text()[:-20])
    with pytest.raises(ProfileError, match=r"line 4: the file ends within a row of \d+ cells; expected 14"):
        load_profiles(path)


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("Block Dim", "many", "a whole number"), ("Block Dim", "1.5", "a whole number"),
        ("Duration(us)", "long", "a time in µs"), ("Start Time(us)", "1e400", "a time in µs"),
        ("Stream ID", "9" * 30, "a whole number"),
    ],
)  # fmt: skip
def test_a_wrong_cell_names_line_and_column(tmp_path: Path, column: str, value: str, expected: str) -> None:
    row = ["1"] * len(DETAILS)
    row[DETAILS.index(column)] = value
    path = write_table(tmp_path / "kernel_details.csv", DETAILS, row)
    with pytest.raises(ProfileError) as raised:
        load_profiles(path)
    assert str(raised.value) == f'{path}, line 2: "{value}" stands in column "{column}"; expected {expected}'


def test_a_header_alone_and_tables_of_sums_say_why_there_is_nothing(tmp_path: Path) -> None:
    empty = loaded(write_table(tmp_path / "kernel_details.csv", DETAILS))
    assert empty.nothing_to_show is not None
    assert "no kernel ran" in empty.nothing_to_show
    sums = loaded(
        write_table(tmp_path / "op_statistic.csv", ("OP Type", "Core Type", "Count"), ("Add", "AI_CORE", 3))
    )
    assert sums.nothing_to_show is not None
    assert "sums of kernels by their type" in sums.nothing_to_show
