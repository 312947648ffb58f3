"""Profiles with times: every number that is checked is read from the file a second time, without the importers."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from tilescope_trace.profile.emptied import LIFETIME, emptied_ranges
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Device

from .cuda_files import GEMM, content, lane_path, load


def parsed(name: str) -> Any:
    return json.loads(content(name), parse_float=Decimal)


def test_torch_profiler_kernels_are_launches_with_their_annotations() -> None:
    name = "torch_profiler_h200_gemm_relu.json"
    document, profile = parsed(name), load(name)
    events = [one for one in document["traceEvents"] if one.get("cat") == "kernel"]
    assert [one.name for one in profile.launches] == [one["name"] for one in events]
    for launch, event in zip(profile.launches, events, strict=True):
        args = event["args"]
        assert (launch.start_ns, launch.duration_ns) == (event["ts"] * 1000, event["dur"] * 1000)
        assert (launch.grid, launch.block) == (tuple(args["grid"]), tuple(args["block"]))
        assert (launch.registers, launch.correlation) == (args["registers per thread"], args["correlation"])
        assert (launch.shared_bytes, launch.dynamic_shared_bytes) == (args["shared memory"], None)
        assert profile.lanes[launch.lane].number == args["stream"]
    gemms = [one for one in profile.launches if one.name == GEMM]
    assert [one.annotation for one in gemms] == ["iter0", "iter1", "iter2"]
    properties = document["deviceProperties"][0]
    assert profile.devices == (Device(0, properties["name"], "sm_90", properties["numSms"], None),)


def test_torch_profiler_everything_with_a_duration_is_a_slice() -> None:
    name = "torch_profiler_h200_gemm_relu.json"
    profile = load(name)
    events = [one for one in parsed(name)["traceEvents"] if one["ph"] == "X"]
    assert Counter(profile.slice_name(index) for index in range(len(profile.slices))) == Counter(
        one["name"] for one in events
    )
    assert sum(profile.slices.duration_ns) == sum(one["dur"] * 1000 for one in events)
    assert len(profile.flows) == len(profile.launches)
    stream = profile.launches[0].lane
    assert lane_path(profile, stream) == ("GPU 0 python3", "stream 7")
    for end_lane, end in zip(profile.flows.end_lane, profile.flows.end_ns, strict=True):
        assert (end_lane, end) in {(one.lane, one.start_ns) for one in profile.launches}


def test_cupti_records_tell_static_and_dynamic_shared_memory_apart() -> None:
    name = "cupti_python_kernel_activity.json"
    records, profile = parsed(name), load(name)
    for launch, record in zip(profile.launches, records, strict=True):
        assert (launch.name, launch.start_ns) == (record["name"], record["start"])
        assert launch.duration_ns == record["end"] - record["start"]
        assert launch.grid == (record["grid_x"], record["grid_y"], record["grid_z"])
        assert launch.static_shared_bytes == record["static_shared_memory"]
        assert launch.dynamic_shared_bytes == record["dynamic_shared_memory"]
        assert launch.registers == record["registers_per_thread"]
    assert profile.launches[2].dynamic_shared_bytes == 147456


def test_iket_ranges_lie_on_warps_below_blocks_and_multiprocessors() -> None:
    name = "iket_pipe.trace.json.gz"
    (kernel,) = parsed(name)["launches"]
    document, profile = parsed(name), load(name)
    names, places = document["stringTable"], document["locationTable"]
    expected = Counter()
    for one in kernel["ranges"]:
        place = places[one["warpLocIdxs"][0]]
        x, y, z = place["ctaId"]
        where = (f"SM {place['smId']}", f"block ({x}, {y}, {z})", f"warp {place['warpId']}")
        expected[where, names[one["rangeNameIdx"]], one["startTs"], one["endTs"] - one["startTs"]] += 1
    columns = profile.slices
    found = Counter(
        (
            lane_path(profile, columns.lane[at]),
            profile.slice_name(at),
            columns.start_ns[at],
            columns.duration_ns[at],
        )
        for at in range(len(columns))
        if profile.lanes[columns.lane[at]].kind == "warp" and profile.slice_name(at) != LIFETIME
    )
    assert found == expected
    (launch,) = profile.launches
    assert launch.grid == (kernel["gridDimX"], kernel["gridDimY"], kernel["gridDimZ"])
    assert launch.start_ns == min(one["startTs"] for one in kernel["warpLifetimes"])


def test_ranges_emptied_by_warp_specialization_are_found_and_explained() -> None:
    document, profile = parsed("iket_pipe.trace.json.gz"), load("iket_pipe.trace.json.gz")
    load_name = document["stringTable"].index("load")
    ranges = [one for one in document["launches"][0]["ranges"] if one["rangeNameIdx"] == load_name]
    durations = [one["endTs"] - one["startTs"] for one in ranges]
    (found,) = emptied_ranges(profile)
    assert (found.name, found.count, found.longest_ns) == ("load", len(durations), max(durations))
    assert found.median_ns == median(durations) == 0
    assert found.warps == len({one["warpLocIdxs"][0] for one in ranges})
    (note,) = profile.notes
    assert note.subject == "load"
    assert "warp specialization moves the copies" in note.message


def test_marks_are_no_emptied_ranges() -> None:
    document, profile = parsed("iket_all.trace.json.gz"), load("iket_all.trace.json.gz")
    assert emptied_ranges(profile) == ()
    marks = document["launches"][0]["markers"]
    details = Counter(
        profile.texts[profile.slices.detail[at]]
        for at in range(len(profile.slices))
        if profile.slices.detail[at] >= 0
    )
    assert details == Counter(
        "mark" if "payloadVal" not in one else f"mark, payload {one['payloadVal']}" for one in marks
    )


def test_warp_lifetimes_of_an_unmodified_kernel() -> None:
    name = "iket_warp_trace_gemm4096.trace.json.gz"
    document, profile = parsed(name), load(name)
    for launch, kernel in zip(profile.launches, document["launches"], strict=True):
        assert launch.name == kernel["kernelName"]
        assert launch.duration_ns == max(one["endTs"] for one in kernel["warpLifetimes"]) - min(
            one["startTs"] for one in kernel["warpLifetimes"]
        )
    lives = sum(len(kernel["warpLifetimes"]) for kernel in document["launches"])
    assert sum(profile.slice_name(at) == LIFETIME for at in range(len(profile.slices))) == lives
    used = {
        document["locationTable"][one["locIdx"]]["smId"] for k in document["launches"] for one in k["warpLifetimes"]
    }
    assert {lane.number for lane in profile.lanes if lane.kind == "sm"} == used


def test_perfetto_and_json_of_one_iket_run_say_the_same() -> None:
    for name in ("iket_pipe", "iket_all"):
        packets, document = load(f"{name}.pftrace.gz"), load(f"{name}.trace.json.gz")
        (one,), (other,) = packets.launches, document.launches
        assert (one.name, one.start_ns, one.duration_ns) == (other.name, other.start_ns, other.duration_ns)
        sides = []
        for profile in (packets, document):
            columns = profile.slices
            sides.append(
                Counter(
                    (profile.slice_name(at), columns.start_ns[at], columns.duration_ns[at], columns.launch[at])
                    for at in range(len(columns))
                )
            )
        assert sides[0] == sides[1]
        assert packets.notes == document.notes


def test_proton_trace_and_tree() -> None:
    events = parsed("proton_trace.chrome_trace")["traceEvents"]
    trace, tree = load("proton_trace.chrome_trace"), load("proton_tree.hatchet")
    assert [one.duration_ns for one in trace.launches] == [one["dur"] * 1000 for one in events]
    assert {one.annotation for one in trace.launches} == {events[0]["args"]["call_stack"][1]} == {"tl_gemm"}
    kernel = parsed("proton_tree.hatchet")[0]["children"][0]["children"][0]
    (launch,) = tree.launches
    assert (launch.name, launch.annotation) == (kernel["frame"]["name"], "tl_gemm")
    assert (launch.count, launch.duration_ns) == (kernel["metrics"]["count"], kernel["metrics"]["time (ns)"])
    assert launch.start_ns is None
    (device,) = tree.devices
    assert (device.arch, device.multiprocessors) == ("sm_90", 132)


def test_proton_ranges_inside_a_kernel() -> None:
    events, profile = parsed("proton_intra.chrome_trace")["traceEvents"], load("proton_intra.chrome_trace")
    assert [one.name for one in profile.launches] == ["addk"]
    assert list(profile.slices.duration_ns) == [one["dur"] * 1000 for one in events]
    assert set(profile.slices.launch) == {0}
    first = events[0]
    assert first["pid"] == "addk Core124 CTA4"
    assert lane_path(profile, profile.slices.lane[0]) == ("SM 124", "block 4", "warp 0")


def test_any_chrome_trace_shows_its_slices_and_says_that_it_knows_no_kernels() -> None:
    name = "intra_kernel_clock64_trace.json.gz"
    events, profile = parsed(name)["traceEvents"], load(name)
    assert (profile.format, len(profile.slices), profile.launches) == ("Chrome trace", len(events), ())
    assert sum(profile.slices.duration_ns) == sum(int(one["dur"] * 1000) for one in events)
    assert "not told by this format" in profile.notes[0].message


def test_a_trace_of_the_host_alone_says_that_it_has_no_kernel(tmp_path: Path) -> None:
    document = json.loads(content("torch_profiler_h200_gemm_relu.json"))
    document["traceEvents"] = [one for one in document["traceEvents"] if one.get("cat") == "cpu_op"]
    (tmp_path / "trace.json").write_text(json.dumps(document))
    (profile,) = load_profiles(tmp_path / "trace.json")
    assert (profile.launches, len(profile.slices)) == ((), len(document["traceEvents"]))
    assert "no kernel ran on a device" in profile.notes[0].message
