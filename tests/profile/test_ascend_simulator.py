"""``msprof op simulator``: instructions on pipes, flags between them, and what each costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Place, Profile, Samples

from .ascend_files import block, flag, instruction, simulated, simulation, write_json, write_table


def loaded(path: Path) -> Profile:
    (profile,) = load_profiles(path)
    return profile


def traced(tmp_path: Path) -> Profile:
    return loaded(write_json(tmp_path / "trace.json", simulated(simulation())))


def costs(samples: Samples) -> dict[str, int]:
    return {one.text: one.samples for one in samples.instructions}


def test_lanes_are_core_by_pipe_in_the_order_of_the_data(tmp_path: Path) -> None:
    events = [instruction("VECTOR", "VADD", 9.0, 0.1, 0x2000), *simulation()]
    for event in events[:1]:
        event["pid"] = "core0.veccore1"
    profile = loaded(write_json(tmp_path / "trace.json", simulated(events)))
    assert [(lane.title, lane.kind) for lane in profile.lanes] == [
        ("core0.cubecore0", "core"), ("MTE2", "pipe"), ("MTE1", "pipe"), ("CUBE", "pipe"), ("SCALAR", "pipe"),
        ("core0.veccore1", "core"), ("VECTOR", "pipe"),
    ]  # fmt: skip
    multiplied = next(i for i in range(len(profile.slices)) if profile.slice_name(i) == "MMAD")
    lane = profile.lanes[profile.slices.lane[multiplied]]
    assert (lane.title, profile.lanes[lane.parent].title) == ("CUBE", "core0.cubecore0")


def test_times_are_microseconds_though_the_file_says_ns(tmp_path: Path) -> None:
    profile = traced(tmp_path)
    (launch,) = profile.launches
    assert (launch.start_ns, launch.duration_ns, launch.kind) == (3_000, 1_000, "simulated")
    loads = [i for i in range(len(profile.slices)) if profile.slice_name(i) == "MOV_OUT_TO_L1"]
    assert [(profile.slices.start_ns[i], profile.slices.duration_ns[i]) for i in loads] == [(3_000, 500)]


def test_cycles_shorter_than_a_nanosecond_add_up(tmp_path: Path) -> None:
    (samples,) = traced(tmp_path).samples
    assert samples.unit == "ns"
    assert costs(samples)["MOV_XD_IMM"] == 1_000
    assert samples.total == sum(costs(samples).values()) == 1_000 + 500 + 1 + 400 + 250


def test_a_wait_is_a_stall_on_the_pipe_that_sets_the_flag(tmp_path: Path) -> None:
    (samples,) = traced(tmp_path).samples
    assert samples.stalls == {"wait_for_MTE2": 400}
    waiting = next(one for one in samples.instructions if one.text == "WAIT_FLAG")
    assert (waiting.address, waiting.stalls, waiting.executed) == (0xC, {"wait_for_MTE2": 400}, 1)


def test_flags_are_arrows_between_pipes(tmp_path: Path) -> None:
    profile = traced(tmp_path)
    titles = [
        (profile.lanes[start].title, profile.lanes[end].title, profile.texts[name])
        for start, end, name in zip(profile.flows.start_lane, profile.flows.end_lane, profile.flows.name, strict=True)
    ]
    assert titles == [("MTE2", "MTE1", "MTE2ToMTE1")]
    assert (profile.flows.start_ns[0], profile.flows.end_ns[0]) == (3_500, 3_500)


def test_inline_stacks_have_the_kernels_line_last(tmp_path: Path) -> None:
    (samples,) = traced(tmp_path).samples
    load = next(one for one in samples.instructions if one.text == "MOV_OUT_TO_L1")
    assert load.frames == (Place("/opt/ascend/tile/copy.h", 12), Place("/tmp/kernel.cpp", 40))


def test_without_debug_information_there_are_no_stacks(tmp_path: Path) -> None:
    events = [instruction("CUBE", "MMAD", 1.0, 0.5, 0x10, code="")]
    (samples,) = loaded(write_json(tmp_path / "trace.json", simulated(events))).samples
    assert [one.frames for one in samples.instructions] == [()]


def test_fetching_and_cache_misses_are_drawn_and_not_counted(tmp_path: Path) -> None:
    events = [instruction("CUBE", "MMAD", 1.0, 0.5, 0x10), instruction("CUBE", "cache_time", 0.5, 0.4, 0x10),
              instruction("CACHEMISS", "MISS", 0.5, 0.4, 0x10)]  # fmt: skip
    profile = loaded(write_json(tmp_path / "trace.json", simulated(events)))
    assert len(profile.slices) == 3
    assert profile.samples[0].total == 500


def test_a_stopped_simulation_is_told(tmp_path: Path) -> None:
    events = [*simulation(), flag("WAIT_FLAG", "CUBE", 5.0, 6.0, 0x20, "7")[0]]
    profile = loaded(write_json(tmp_path / "trace.json", simulated(events)))
    assert any("1 flags without an end" in note.message for note in profile.notes)


def test_the_trace_of_one_core_has_pipes_as_processes(tmp_path: Path) -> None:
    args = {"code": "/tmp/kernel.cpp:42", "detail": "", "pc_addr": "0x10"}
    events = [
        {"name": "process_name", "ph": "M", "pid": 5, "tid": 0, "args": {"name": "VECTOR"}},
        {"name": "VADD", "ph": "X", "pid": 5, "tid": 1, "ts": 1.0, "dur": 0.5, "cname": "good", "args": args},
        {"name": "flow", "ph": "s", "pid": "5", "tid": "1", "ts": 1.2, "id": "0", "cat": "VECTORToVECTOR"},
        {"name": "flow", "ph": "t", "pid": "5", "tid": "1", "ts": 1.4, "id": "0", "cat": "VECTORToVECTOR"},
    ]
    profile = loaded(write_json(tmp_path / "core1.veccore0" / "trace.json", simulated(events)))
    assert [(lane.title, lane.kind) for lane in profile.lanes] == [("core1.veccore0", "core"), ("VECTOR 1", "pipe")]
    assert len(profile.flows) == 1


def test_a_trace_without_instructions_says_so(tmp_path: Path) -> None:
    profile = loaded(write_json(tmp_path / "trace.json", simulated([])))
    assert profile.nothing_to_show is not None
    assert "did not run" in profile.nothing_to_show


def write_tables(core: Path) -> None:
    header = ("instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail")
    write_table(core / f"{core.name}_instr_exe_1.csv", header, ("MMAD", 0x1010, "CUBE", 4, 400, 0.2, "XD:X1=0x1,"),
                ("MOV_XD_IMM", 0x1000, "SCALAR", 1, 1, 0.01, "IMM:0x7fa0,"))  # fmt: skip
    write_table(core / f"{core.name}_code_exe_1.csv", ("code", "call_count", "cycles", "running_time(us)"),
                ("/tmp/kernel.cpp:42", 4, 400, 0.2), ("/tmp/kernel.cpp:40", 1, 1, 0.01))  # fmt: skip


def test_a_folder_is_one_launch_and_counts_nothing_twice(tmp_path: Path) -> None:
    output = tmp_path / "OPPROF_1_X" / "main_kernel" / "0" / "simulator"
    write_json(output / "trace.json", simulated(simulation()))
    write_json(output / "core0.cubecore0" / "trace.json", simulated([]))
    write_tables(output / "core0.cubecore0")
    instructions = {"Cores": ["core0.cubecore0"], "Instructions": [
        {"Address": "0x1010", "Source": "MMAD", "Pipe": "CUBE", "Cycles": [400], "UB Read Conflict": [7],
         "UB Write Conflict": [-1], "AscendC Inner Code": "/tmp/kernel.cpp:42", "Instructions Executed": [4]},
    ]}  # fmt: skip
    trace = json.dumps(simulated(simulation()))
    blocks = (block(2, trace), block(1, "int main;\n", "/tmp/kernel.cpp"), block(4, instructions))
    (output / "visualize_data.bin").write_bytes(b"".join(blocks))
    profile = loaded(tmp_path)
    assert [one.name for one in profile.launches] == ["main_kernel"]
    (samples,) = profile.samples
    assert (samples.kernel, samples.total) == ("main_kernel", 2_151)
    assert profile.sources == {"/tmp/kernel.cpp": "int main;\n"}
    (conflicts,) = profile.parts
    assert (conflicts.part, conflicts.metrics["UB Read Conflict"].value) == ("core0.cubecore0", 7.0)
    assert conflicts.metrics["UB Write Conflict"].value == 0.0


def test_a_folder_without_a_trace_is_read_from_its_tables(tmp_path: Path) -> None:
    output = tmp_path / "OPPROF_1_X" / "simulator"
    for core in ("core0.cubecore0", "core1.cubecore0"):
        write_tables(output / core)
    profile = loaded(tmp_path / "OPPROF_1_X")
    (samples,) = profile.samples
    assert (samples.unit, samples.total, costs(samples)) == ("cycles", 802, {"MOV_XD_IMM": 2, "MMAD": 800})
    assert {line.place: line.samples for line in samples.lines} == {
        Place("/tmp/kernel.cpp", 42): 800, Place("/tmp/kernel.cpp", 40): 2,
    }  # fmt: skip
    assert samples.line_rule == "every frame"
    assert [note.message for note in profile.notes] == ["the simulator does not name the kernel"]


def test_one_table_alone(tmp_path: Path) -> None:
    write_tables(tmp_path / "core0.cubecore0")
    of_lines, of_instructions = load_profiles(tmp_path)
    assert of_lines.samples[0].total == 401
    assert [one.address for one in of_instructions.samples[0].instructions] == [0, 0x10]


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_truncated_trace_names_itself(tmp_path: Path, cut: int) -> None:
    path = write_json(tmp_path / "trace.json", simulated(simulation()))
    path.write_text(path.read_text()[:-cut])
    with pytest.raises(ProfileError, match=str(path)):
        load_profiles(path)
