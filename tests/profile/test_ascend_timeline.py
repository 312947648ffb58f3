"""Timelines of msprof and torch_npu.profiler."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Profile

from .ascend_files import BASE_NS, CANN, HARDWARE, STREAM, THREAD, launch, micros, names, timeline, write_json


def loaded(path: Path) -> Profile:
    (profile,) = load_profiles(path)
    return profile


def lanes(profile: Profile) -> dict[str, str]:
    return {lane.title: lane.kind for lane in profile.lanes}


def test_tasks_that_run_kernels_are_launches_with_exact_times(tmp_path: Path) -> None:
    profile = loaded(write_json(tmp_path / "msprof_1.json", timeline()))
    assert [(one.name, one.start_ns, one.duration_ns, one.kind, one.correlation) for one in profile.launches] == [
        ("main_kernel_mix_aic", BASE_NS, 53_741, "AI_CORE", 1),
        ("Add", BASE_NS + 90_000, 1_500, "MIX_AIV", 3),
    ]
    copies = [index for index in range(len(profile.slices)) if profile.slice_name(index) == "MEMCPY_ASYNC"]
    assert [profile.texts[profile.slices.detail[index]] for index in copies] == ["SDMA_SQE"]
    assert profile.nothing_to_show is None


def test_lanes_are_named_though_the_metadata_stand_in_the_middle(tmp_path: Path) -> None:
    profile = loaded(write_json(tmp_path / "trace_view.json", timeline()))
    assert lanes(profile) == {
        "Ascend Hardware": "device", "Stream 2": "stream", "CANN": "process", f"thread {THREAD}": "host",
        "Python": "process", "AI Core Freq": "process",
    }  # fmt: skip
    stream = next(lane for lane in profile.lanes if lane.title == "Stream 2")
    assert stream.number == STREAM
    assert profile.lanes[stream.parent].title == "Ascend Hardware"


def test_arrows_lead_from_the_call_to_each_task_it_starts(tmp_path: Path) -> None:
    twice = {"cat": "HostToDevice", "id": "1", "name": "HostToDevice1", "ph": "f", "pid": HARDWARE, "tid": STREAM}
    events = [*timeline(), {**twice, "ts": micros(BASE_NS + 200_000)}]
    profile = loaded(write_json(tmp_path / "trace.json", events))
    ends = sorted(zip(profile.flows.start_ns, profile.flows.end_ns, strict=True))
    called = BASE_NS - 40_000
    assert ends[:2] == [(called, BASE_NS), (called, BASE_NS + 200_000)]
    assert len(ends) == 4


def test_arrows_whose_end_comes_first_are_kept_and_those_without_a_start_counted(tmp_path: Path) -> None:
    events = list(reversed(launch(1, "k", BASE_NS, 1.0)))
    alone = {
        "cat": "HostToDevice",
        "id": "9",
        "name": "x",
        "ph": "f",
        "pid": HARDWARE,
        "tid": 2,
        "ts": micros(BASE_NS),
    }
    profile = loaded(write_json(tmp_path / "trace.json", [*names(), *events, alone]))
    assert list(profile.flows.end_ns) == [BASE_NS]
    assert [note.message for note in profile.notes] == [
        "1 arrows are left out: the file has their ends, but not where they start"
    ]


def test_a_range_that_names_a_compile_is_the_annotation_of_launches_in_it(tmp_path: Path) -> None:
    profile = loaded(write_json(tmp_path / "trace_view.json", timeline()))
    assert [one.annotation for one in profile.launches] == [None, "tl:0123456789ab"]


def test_counters_have_the_unit_of_their_key(tmp_path: Path) -> None:
    counters = [
        {"name": "HBM 0/Read", "args": {"Read(MB/s)": 1.5}},
        {"name": "read_bandwidth", "args": {"value": 3, "acc_id": 1}},
        {"name": "NPU", "args": {"Used(KB)": 2, "note": "text"}},
    ]
    events = [{**one, "ph": "C", "pid": 8, "tid": 0, "ts": micros(BASE_NS)} for one in counters]
    profile = loaded(write_json(tmp_path / "trace.json", [*timeline(), *events]))
    assert {(one.name, one.unit, one.values[0]) for one in profile.counters} == {
        ("AI Core Freq", "MHz", 1800.0), ("HBM 0/Read", "MB/s", 1.5), ("read_bandwidth acc_id 1", "", 3.0),
        ("NPU Used", "KB", 2.0),
    }  # fmt: skip


def test_a_compressed_trace_is_read_and_recognised_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "something"
    path.write_bytes(gzip.compress(json.dumps(timeline()).encode()))
    assert len(loaded(path).launches) == 2


@pytest.mark.parametrize("events", [names(), []])
def test_a_timeline_without_tasks_says_so(tmp_path: Path, events: list[object]) -> None:
    profile = loaded(write_json(tmp_path / "trace_view.json", events))
    assert profile.nothing_to_show is not None
    assert "nothing ran on the device" in profile.nothing_to_show


def test_a_truncated_timeline_names_itself_and_the_place(tmp_path: Path) -> None:
    path = write_json(tmp_path / "msprof_2.json", timeline())
    path.write_text(path.read_text()[:-40])
    with pytest.raises(ProfileError, match=rf"{path}, behind byte \d+: .*; expected an array"):
        load_profiles(path)


def test_a_time_that_is_none_names_the_event(tmp_path: Path) -> None:
    bad = {"ph": "X", "name": "Broken", "pid": CANN, "tid": 1, "ts": "1" * 40, "dur": 1}
    path = write_json(tmp_path / "msprof_3.json", [*timeline(), bad])
    with pytest.raises(ProfileError, match=r'event "Broken": .* is no time in µs; expected ts and dur in µs'):
        load_profiles(path)


@pytest.mark.parametrize("args", [None, [1], "text", {"connection_id": "later"}, {"connection_id": 1.5}])
def test_arguments_of_what_is_no_task_may_have_any_form(tmp_path: Path, args: object) -> None:
    call = {"ph": "X", "name": "call", "pid": CANN, "tid": THREAD, "ts": micros(BASE_NS), "dur": 1.0, "args": args}
    profile = loaded(write_json(tmp_path / "msprof_1.json", [*timeline(), call]))
    assert [profile.slice_name(index) for index in range(len(profile.slices))].count("call") == 1
    assert all(one.name != "call" for one in profile.launches)


def test_arguments_of_a_task_must_be_readable(tmp_path: Path) -> None:
    args = {"Task Type": "AI_CORE", "connection_id": "later"}
    task = {"ph": "X", "name": "k", "pid": HARDWARE, "tid": STREAM, "ts": micros(BASE_NS), "dur": 1.0, "args": args}
    with pytest.raises(ProfileError, match='event "k"'):
        loaded(write_json(tmp_path / "msprof_1.json", [*timeline(), task]))


def test_times_of_other_forms_stand_beside_the_usual_ones(tmp_path: Path) -> None:
    times = {"1736408883000021.000": 1736408883000021000, "5": 5000, 7.25: 7250, "0.123": 123, "1.23": 1230}
    calls = [{"ph": "X", "name": "c", "pid": CANN, "tid": THREAD, "ts": time, "dur": 1.0} for time in times]
    profile = loaded(write_json(tmp_path / "msprof_1.json", [*names(), *calls]))
    assert list(profile.slices.start_ns) == list(times.values())
