"""Nsight Compute's CSV pages, whose cells are read here a second time by Python's CSV reader or by hand."""

from __future__ import annotations

import csv
import io
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Metric

from .cuda_files import GEMM, content, load


def table(name: str) -> list[list[str]]:
    """Rows by Python's reader; right where no cell holds a quote."""
    return list(csv.reader(io.StringIO(content(name).decode())))


def test_samples_and_stalls_of_each_instruction() -> None:
    name = "ncu_source_sass_fixed_line.csv.gz"
    _, header, *rows = table(name)
    (samples,) = load(name).samples
    column, executed, barrier = (header.index(one) for one in ("# Samples", "Instructions Executed", "stall_barrier"))
    first = int(rows[0][0], 16)
    assert [one.address for one in samples.instructions] == [int(row[0], 16) - first for row in rows]
    assert [one.samples for one in samples.instructions] == [int(row[column]) for row in rows]
    assert [one.executed for one in samples.instructions] == [int(row[executed]) for row in rows]
    assert [one.text for one in samples.instructions] == [row[1].strip() for row in rows]
    assert samples.total == sum(int(row[column]) for row in rows) == 19985
    assert samples.stalls["barrier"] == sum(int(row[barrier]) for row in rows)
    assert sum(samples.stalls.values()) == samples.total
    long_names = {"long_scoreboard", "short_scoreboard", "lg_throttle", "math_pipe_throttle", "no_instructions"}
    assert long_names <= set(samples.stalls)


@pytest.mark.parametrize("name", ["ncu_source_cuda_sass_fixed_line.csv.gz", "ncu_source_cuda_sass_no_line.csv.gz"])
def test_an_instruction_under_several_lines_counts_once(name: str) -> None:
    (samples,) = load(name).samples
    assert len(samples.instructions) == len({one.address for one in samples.instructions}) == 664
    assert sum(one.samples for one in samples.instructions) == samples.total
    assert sum(line.samples for line in samples.lines) > samples.total
    assert samples.line_rule == "every frame"


def test_source_pages_of_one_report_have_the_same_instructions() -> None:
    sass, mixed = (load(f"ncu_source_{kind}_fixed_line.csv.gz").samples[0] for kind in ("sass", "cuda_sass"))
    assert mixed.instructions == sass.instructions
    assert mixed.stalls == sass.stalls


def test_lines_are_read_behind_text_with_quotes() -> None:
    """A line's text may hold quotes and commas: the numbers are those at the right end of its row."""
    name = "ncu_source_cuda_sass_fixed_line.csv.gz"
    rows = content(name).decode().splitlines()
    quoted = next(row for row in rows if '"text "not" included"' in row and not row.startswith('"",'))
    header = next(row for row in rows if row.startswith('"Line No"'))
    from_right = len(header.rstrip(",").split('","')) - header.rstrip(",").split('","').index("# Samples")
    expected = int(quoted.rstrip(",").strip('"').split('","')[-from_right])
    (samples,) = load(name).samples
    line = next(line for line in samples.lines if line.text == 'text "not" included')
    assert (line.place.line, line.samples) == (int(quoted.split('"')[1]), expected)


def test_the_page_without_metrics_says_what_to_export() -> None:
    profile = load("ncu_source_cuda_only.csv")
    assert profile.launches == ()
    assert "--print-source sass" in (profile.nothing_to_show or "")
    (source,) = profile.sources.values()
    assert source.count("\n") == sum(row[0].isdigit() for row in table("ncu_source_cuda_only.csv"))


def test_details_page() -> None:
    header, *rows = table("ncu_details.csv")
    profile = load("ncu_details.csv")
    (launch,) = profile.launches
    assert (launch.name, launch.grid, launch.block) == (GEMM, (16, 32, 1), (384, 1, 1))
    metrics = {row[12]: (row[14], row[13]) for row in rows if row[12]}
    assert metrics["Duration"] == ("207.65", "us")
    assert launch.duration_ns == 207650
    assert launch.metrics["Elapsed Cycles"] == Metric(329446.0, "cycle")
    assert metrics["Elapsed Cycles"] == ("329,446", "cycle")
    assert launch.registers == int(metrics["Registers Per Thread"][0])
    assert launch.dynamic_shared_bytes is None, "147.46 Kbyte is no number of bytes"
    assert set(metrics) <= {name.split(": ")[-1] for name in launch.metrics}
    said = [note.message for note in profile.notes]
    rules = [row[header.index("Rule Description")] for row in rows if len(row) > 17 and row[17]]
    assert Counter(said) == Counter(dict.fromkeys(rules, 1))


def test_raw_page_has_sizes_in_bytes() -> None:
    header, units, row = table("ncu_raw.csv.gz")
    profile = load("ncu_raw.csv.gz")
    (launch,), (device,), (samples,) = profile.launches, profile.devices, profile.samples
    cell = dict(zip(header, row, strict=True))
    assert cell["launch__shared_mem_per_block_dynamic"] == "147.456000"
    assert dict(zip(header, units, strict=True))["launch__shared_mem_per_block_dynamic"] == "Kbyte/block"
    assert (launch.dynamic_shared_bytes, launch.static_shared_bytes) == (147456, 1024)
    assert launch.duration_ns == round(float(cell["gpu__time_duration.sum"]) * 1000)
    assert device.name == cell["device__attribute_display_name"]
    assert samples.total == int(cell["smsp__pcsamp_sample_count"].replace(",", ""))
    stalled = int(cell["smsp__pcsamp_warps_issue_stalled_long_scoreboard"].replace(",", ""))
    assert samples.stalls["long_scoreboard"] == stalled


def test_values_of_instances_change_no_sum() -> None:
    plain, more = load("ncu_raw.csv.gz"), load("ncu_raw_with_instances.csv.gz")
    assert more.samples[0].total == plain.samples[0].total
    assert more.samples[0].stalls == plain.samples[0].stalls
    assert more.launches[0].dynamic_shared_bytes is None, "with instances sizes have two digits"


def test_a_report_without_samples_says_how_to_get_some(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text('"Kernel Name","k",\n"Address","Source","Instructions Executed"\n"0x10","NOP","1"\n')
    (profile,) = load_profiles(path)
    assert "--section SourceCounters" in (profile.nothing_to_show or "")


def test_a_row_that_is_cut_off_is_named(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    whole = content("ncu_source_sass_fixed_line.csv.gz").decode().splitlines()
    path.write_text("\n".join([*whole[:20], whole[20][:30]]))
    with pytest.raises(ProfileError, match=r"source\.csv, line 21: the row .*; expected"):
        load_profiles(path)


@pytest.mark.skipif(find_spec("ncu_report") is not None, reason="Nsight Compute is installed")
def test_a_report_without_nvidia_s_reader_says_what_to_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "gemm.ncu-rep"
    path.write_bytes(b"NVR\x00\x02\x00\x00\x00" + bytes(64))
    with pytest.raises(ProfileError) as caught:
        load_profiles(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: reading it needs the module ncu_report of Nsight Compute")
    assert "ncu --import gemm.ncu-rep --page source --csv --print-source sass" in message


STAND_IN = """
import os, signal

class Metric:
    def __init__(self, value, unit="", counts=None):
        self._value, self._unit, self._counts = value, unit, counts
    def value(self):
        return self._value
    def unit(self):
        return self._unit
    def has_correlation_ids(self):
        return self._counts is not None
    def correlation_ids(self):
        return Counts(list(self._counts))
    def num_instances(self):
        return len(self._counts)
    def as_uint64(self, at):
        return list(self._counts.values())[at]

class Counts(list):
    def as_uint64(self, at):
        return self[at]

METRICS = {
    "gpu__time_duration.sum": Metric(424.5, "us"),
    "smsp__pcsamp_sample_count": Metric(12.0, "", {4112: 9, 4128: 3}),
    "smsp__pcsamp_warps_issue_stalled_barrier": Metric(8.0, "", {4112: 8, 4128: 0}),
    "smsp__pcsamp_warps_issue_stalled_barrier_not_issued": Metric(8.0, "", {4112: 7}),
    "inst_executed": Metric(64.0, "", {4096: 0, 4112: 32, 4128: 32}),
}

class Action:
    def name(self):
        return "gemm"
    def metric_names(self):
        return list(METRICS)
    def metric_by_name(self, name):
        return METRICS.get(name)
    def sass_by_pc(self, address):
        return " NOP"
    def num_actions(self):
        return 1
    def action_by_idx(self, at):
        return self
    num_ranges, range_by_idx = num_actions, action_by_idx

def load_report(path):
    if path.endswith("deadly.ncu-rep"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if path.endswith("cut.ncu-rep"):
        raise RuntimeError("unexpected end of file")
    return Action()
"""
"""What tilescope calls of NVIDIA's module, which is not to be had without an installed Nsight Compute."""


@pytest.fixture
def nvidia_s_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "ncu_report.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    return tmp_path


def test_a_report_is_read_by_nvidia_s_module(nvidia_s_reader: Path) -> None:
    path = nvidia_s_reader / "gemm.ncu-rep"
    path.write_bytes(b"NVR\x00")
    (profile,) = load_profiles(path)
    (launch,), (samples,) = profile.launches, profile.samples
    assert (launch.name, launch.duration_ns) == ("gemm", 424_500)
    assert (samples.total, dict(samples.stalls)) == (12, {"barrier": 8})
    assert [(one.address, one.samples, one.executed) for one in samples.instructions] == [
        (0, 0, 0),
        (16, 9, 32),
        (32, 3, 32),
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("deadly", r"NVIDIA's reader of reports ended with signal 11; expected CSV pages instead: ncu --import"),
        ("cut", r"unexpected end of file; expected a whole"),
    ],
)
def test_a_reader_that_fails_takes_nothing_along(nvidia_s_reader: Path, name: str, message: str) -> None:
    path = nvidia_s_reader / f"{name}.ncu-rep"
    path.write_bytes(b"NVR\x00")
    with pytest.raises(ProfileError, match=message):
        load_profiles(path)
