"""Files as shells, editors and accidents leave them: encodings, packing, pipes, logs of databases, odd values."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.machine_code import machine_code
from tilescope_trace.profile.model import Profile

from .cuda_files import DATA, content
from .test_nsight_systems import HEADER, database

NAMES = [
    "torch_profiler_h200_gemm_relu.json",
    "cupti_python_kernel_activity.json",
    "ncu_details.csv",
    "ncu_raw.csv.gz",
    "ncu_source_sass_fixed_line.csv.gz",
    "proton_tree.hatchet",
    "proton_trace.chrome_trace",
    "iket_all.trace.json.gz",
]
ROW = '1,2,3,1,1,1,1,1,1,32,0,0,,,,,{device},1,,7,"{name}"\n'


def read(path: Path, data: bytes | str) -> Profile:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    (profile,) = load_profiles(path)
    return profile


def refused(path: Path, data: bytes) -> str:
    with pytest.raises(ProfileError) as caught:
        read(path, data)
    return str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_byte_order_mark_changes_nothing(tmp_path: Path, name: str) -> None:
    plain = read(tmp_path / "plain", content(name))
    marked = read(tmp_path / "marked", b"\xef\xbb\xbf" + content(name))
    packed = read(tmp_path / "packed", gzip.compress(b"\xef\xbb\xbf" + content(name)))
    assert plain.launches
    assert (marked.launches, marked.samples) == (packed.launches, packed.samples) == (plain.launches, plain.samples)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (content("ncu_details.csv").decode().encode("utf-16"), "UTF-16"),
        (gzip.compress(gzip.compress(content("ncu_details.csv"))), "packed twice"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd"),
        (b"PK\x03\x04\x00", "zip"),
        ((DATA / "h200/gemm.cubin").read_bytes(), "--code"),
        ((DATA / "h200/gemm.tscope").read_bytes(), "--recording"),
    ],
)
def test_what_is_given_for_a_profile_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    message = refused(tmp_path / "given", data)
    assert words in message
    assert len(message) < 200 + len(str(tmp_path))


def test_a_damaged_file_costs_its_folder_nothing_else(tmp_path: Path) -> None:
    whole = content("torch_profiler_h200_gemm_relu.json")
    (tmp_path / "cut.json").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ProfileError, match=r"cut\.json"):
        load_profiles(tmp_path)
    (tmp_path / "whole.json").write_bytes(whole)
    cut, good = load_profiles(tmp_path)
    assert (cut.path.name, good.path.name) == ("cut.json", "whole.json")
    assert "; expected " in (cut.nothing_to_show or "")
    assert not cut.launches
    assert good.launches


def test_pipes_and_dead_links_in_a_folder_are_passed_over(tmp_path: Path) -> None:
    shutil.copy(DATA / "proton_tree.hatchet", tmp_path)
    os.mkfifo(tmp_path / "a_pipe")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "again").symlink_to(tmp_path)
    assert [profile.path.name for profile in load_profiles(tmp_path)] == ["proton_tree.hatchet"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a_pipe")
    with pytest.raises(ProfileError, match="no regular file"):
        load_profiles(tmp_path / "a_pipe")
    with pytest.raises(UsageError, match="device, pipe or socket"):
        machine_code(tmp_path / "a_pipe")


@pytest.mark.parametrize("name", ["x" * 300, "file/inside"])
def test_a_path_that_cannot_be_looked_at(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProfileError, match="expected a profiler's output"):
        load_profiles(tmp_path / name)


def test_rows_in_the_log_beside_a_database_are_read(tmp_path: Path) -> None:
    path = database(tmp_path / "whole.sqlite", wal=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL")
    connection.commit()
    left = tmp_path / "left"
    left.mkdir()
    for end in ("", "-wal"):  # as a writer that was killed leaves them
        shutil.copy(f"{path}{end}", left / f"report.sqlite{end}")
    connection.close()
    before = sorted(one.name for one in left.iterdir())
    (profile,) = load_profiles(left / "report.sqlite")
    assert len(profile.launches) == 4
    assert sorted(one.name for one in left.iterdir()) == before


def test_nsys_cells_of_any_text(tmp_path: Path) -> None:
    header = HEADER.format(unit="B") + "\n"
    odd = read(tmp_path / "a.csv", header + ROW.format(device="NVIDIA H200 (SXM) (1)", name="a\nb (c), (d"))
    assert (odd.launches[0].name, odd.launches[0].device) == ("a\nb (c), (d", 1)
    assert odd.lanes[0].title == "GPU 1 NVIDIA H200 (SXM)"
    unnumbered = read(tmp_path / "b.csv", header + ROW.format(device=f"GPU ({'9' * 5000})", name="a"))
    assert unnumbered.launches[0].device is None


def test_many_parentheses_are_told_apart_in_one_go(tmp_path: Path) -> None:
    assert "no known profiler format" in refused(tmp_path / "a.csv", b" (" * 32_000)


def test_an_index_from_the_end_is_no_index(tmp_path: Path) -> None:
    document = json.loads(content("iket_pipe.trace.json.gz"))
    for changed in ({"rangeNameIdx": -1}, {"warpLocIdxs": [-5, -5]}):
        one = json.loads(json.dumps(document))
        one["launches"][0]["ranges"][0] |= changed
        assert next(iter(changed)) in refused(tmp_path / "trace.json", json.dumps(one).encode())


def test_what_ends_before_it_begins_has_no_length(tmp_path: Path) -> None:
    records = json.loads(content("cupti_python_kernel_activity.json"))
    records[0]["end"] = records[0]["start"] - 100
    profile = read(tmp_path / "records.json", json.dumps(records))
    assert profile.launches[0].duration_ns is None
    assert profile.launches[1].duration_ns == records[1]["end"] - records[1]["start"]
    assert min(profile.slices.duration_ns) == 0
    assert [note.message for note in profile.notes] == [
        "durations below zero in the file, of slices, shown as moments: 1",
        "durations below zero in the file, of launches, taken as unknown: 1",
    ]


def test_unpaired_slices_and_values_that_are_no_numbers_are_told(tmp_path: Path) -> None:
    place = {"pid": 1, "tid": 1}
    events = [
        {"ph": "E", "ts": 1, **place},
        {"ph": "B", "name": "a", "ts": 2, **place},
        {"ph": "X", "name": "b", "ts": 3, "dur": 1, **place},
        {"ph": "C", "name": "clock", "ts": 4, "args": {"GHz": "NaN"}, **place},
        {"ph": "C", "name": "clock", "ts": 5, "args": {"GHz": 1.5}, **place},
    ]
    profile = read(tmp_path / "trace.json", json.dumps({"traceEvents": events}))
    assert len(profile.slices) == 1
    assert [list(counter.values) for counter in profile.counters] == [[1.5]]
    notes = [note.message for note in profile.notes]
    assert {"slices without their end are left out: 1", "slices without their begin are left out: 1"} < set(notes)
    assert any("no finite number" in note for note in notes)


def test_an_infinite_metric_is_no_number(tmp_path: Path) -> None:
    text = content("ncu_details.csv").decode()
    row = next(line for line in text.split("\n") if '"Registers Per Thread"' in line)
    head, _, _ = row.rpartition(',"168"')
    assert head, "the row's last cell is the value"
    profile = read(tmp_path / "details.csv", text.replace(row, f'{head},"inf",'))
    assert profile.launches[0].registers is None
    assert profile.launches[0].metrics["Registers Per Thread"].value == "inf"


def test_tracks_below_twenty_thousand_others(tmp_path: Path) -> None:
    pb = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    trace, deepest = pb.Trace(), 20_000
    for number in range(1, deepest + 1):
        described = trace.packet.add().track_descriptor
        described.uuid, described.parent_uuid, described.name = number, number - 1, f"track {number}"
    for at, kind in ((10, 1), (30, 2)):
        packet = trace.packet.add()
        packet.timestamp, packet.track_event.type, packet.track_event.track_uuid = at, kind, deepest
        packet.track_event.name = "work"
    profile = read(tmp_path / "deep.pftrace", trace.SerializeToString())
    assert (len(profile.lanes), list(profile.slices.duration_ns)) == (deepest, [20])


def test_ranges_without_times_have_none(tmp_path: Path) -> None:
    events = [
        {"ph": "X", "cat": "cuda_profiler_range", "name": f"k{at}", "pid": 0, "tid": 0, "ts": 10 * at, "dur": 10,
         "args": {"sm__inst_executed.sum": 5, "sm__warps_active.avg.pct": "inf"}}
        for at in range(2)
    ]  # fmt: skip
    profile = read(tmp_path / "trace.json", json.dumps({"schemaVersion": 1, "traceEvents": events}))
    assert [launch.duration_ns for launch in profile.launches] == [None, None]
    assert {name: metric.value for name, metric in profile.launches[0].metrics.items()} == {
        "sm__inst_executed.sum": 5
    }
    assert ["no times" in note.message for note in profile.notes] == [True]


def test_a_message_is_one_line_whatever_the_file_holds(tmp_path: Path) -> None:
    event = {"ph": "X", "name": "a\n\x1b[31mb", "ts": "x", "pid": 1, "tid": 1}
    message = refused(tmp_path / "two  blanks\x1b[2J.json", json.dumps({"traceEvents": [event]}).encode())
    assert "\n" not in message
    assert "\x1b" not in message
    rows = HEADER.format(unit="B") + "\n" + ROW.format(device="a", name="b").replace("1,2,3,", '"a\nb",2,3,', 1)
    assert '"a b" in "Start" is no time' in refused(tmp_path / "rows.csv", rows.encode())
