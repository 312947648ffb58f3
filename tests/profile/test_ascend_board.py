"""``msprof op``: a kernel measured on the board, as tables and as visualize_data.bin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Metric, Place, Profile

from .ascend_files import base, block, instruction, simulated, write_table

BASIC = ("Op Name", "Op Type", "Task Duration(us)", "Block Dim", "Mix Block Dim", "Device Id", "Pid", "Current Freq",
         "Rated Freq")  # fmt: skip
PIPES = ("block_id", "sub_block_id", "aic_time(us)", "aic_cube_ratio", "aic_mte2_ratio", "aiv_vec_ratio")


def loaded(path: Path) -> Profile:
    (profile,) = load_profiles(path)
    return profile


def parts(profile: Profile) -> dict[str, dict[str, Metric]]:
    return {part.part: dict(part.metrics) for part in profile.parts}


def write_board(folder: Path, suffix: str = "") -> Path:
    write_table(folder / f"OpBasicInfo{suffix}.csv", BASIC,
                ("main_kernel_mix_aic", "mix", "300.066", 2, 4, 3, 1112422, 1650, 1800))  # fmt: skip
    write_table(folder / f"PipeUtilization{suffix}.csv", PIPES, (0, "cube0", 250.5, 0.11, 0.6, "NA"),
                (0, "vector0", "NA", "NA", "NA", 0.03), (1, "cube0", 251.5, 0.12, 0.5, "NA"))  # fmt: skip
    write_table(folder / f"Memory{suffix}.csv", ("block_id", "sub_block_id", "aic_mte2_ratio", "GM_to_L1_datas(KB)"),
                (0, "cube0", 0.99, 64))  # fmt: skip
    return folder


@pytest.mark.parametrize("suffix", ["", "_20260707154004123"])
def test_a_folder_is_one_launch_with_the_metrics_of_each_core(tmp_path: Path, suffix: str) -> None:
    profile = loaded(write_board(tmp_path / "OPPROF_1_X", suffix))
    (launch,) = profile.launches
    assert (launch.name, launch.kind, launch.duration_ns, launch.start_ns) == (
        "main_kernel_mix_aic",
        "mix",
        300_066,
        None,
    )
    assert (launch.grid, launch.device) == ((2, 1, 1), 3)
    assert launch.metrics == {
        "Mix Block Dim": Metric(4.0), "Current Freq": Metric(1650.0, "MHz"), "Rated Freq": Metric(1800.0, "MHz"),
    }  # fmt: skip
    assert parts(profile) == {
        "block 0 cube0": {
            "aic_time": Metric(250.5, "us"), "aic_cube_ratio": Metric(0.11), "aic_mte2_ratio": Metric(0.6),
            "GM_to_L1_datas": Metric(64.0, "KB"),
        },
        "block 0 vector0": {"aiv_vec_ratio": Metric(0.03)},
        "block 1 cube0": {
            "aic_time": Metric(251.5, "us"), "aic_cube_ratio": Metric(0.12), "aic_mte2_ratio": Metric(0.5),
        },
    }  # fmt: skip


def test_every_launch_of_every_kernel_has_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        write_board(tmp_path / "OPPROF_1_X" / "main_kernel_mix_aic" / str(number), "_1")
    assert [profile.path.name for profile in load_profiles(tmp_path)] == ["0", "1", "2"]


def test_one_table_alone_does_not_name_the_kernel(tmp_path: Path) -> None:
    write_board(tmp_path)
    profile = loaded(tmp_path / "PipeUtilization.csv")
    assert len(profile.parts) == 3
    assert [note.message for note in profile.notes] == ["the kernel is not named: OpBasicInfo.csv is not there"]


def test_tables_of_processors_without_vector_cores_number_their_rows(tmp_path: Path) -> None:
    header = ("aic_time(us)", "aic_total_cycles", "aic_vec_ratio")
    profile = loaded(write_table(tmp_path / "PipeUtilization.csv", header, (1.5, 100, 0.5), (2.5, 200, "NA")))
    assert parts(profile) == {
        "core 0": {"aic_time": Metric(1.5, "us"), "aic_total_cycles": Metric(100.0), "aic_vec_ratio": Metric(0.5)},
        "core 1": {"aic_time": Metric(2.5, "us"), "aic_total_cycles": Metric(200.0)},
    }


def test_tables_with_headers_only_say_why_there_is_nothing(tmp_path: Path) -> None:
    write_table(tmp_path / "OpBasicInfo.csv", BASIC)
    profile = loaded(tmp_path)
    assert profile.nothing_to_show is not None
    assert "counters were not collected" in profile.nothing_to_show


def write_blocks(path: Path, *blocks: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(blocks))
    return path


LOAD = {"advice": [], "subblock_detail": [
    {"block_id": "0", "block_type": "cube0", "name": "Cube Wait", "unit": 3, "value": 25.44},
    {"block_id": "0", "block_type": "cube0", "name": "Cube FP", "unit": 1, "value": "80"},
    {"block_id": "0", "block_type": "vector0", "name": "Vector FP32", "unit": 1, "value": "NA"},
]}  # fmt: skip
MEMORY = {"table_per_block": [{"block_id": "0", "table_detail": [
    {"table_name": "L1", "header_name": ["", "requests", "throughput(GB/s)"],
     "row": [{"name": "L1 Read MTE", "value": ["12984", "10.316486"]}]},
]}]}  # fmt: skip
CORES = {"op_detail": [{"core_id": 0, "core_detail": [
    {"L2cache_hit_rate": "93.6", "cycles": "413123", "subcore_id": "0", "subcore_type": "cube",
     "throughput": "6158848"},
]}]}  # fmt: skip
ROOFLINE = {"advice": "memory bound", "multiple_rooflines": [{"title": "GM/L2", "rooflines": [
    {"bw_name": "GM Read + Write", "bw": 0.8, "computility": 10.0, "point": [2.0, 1.2], "ratio": "0.750000"},
    {"bw_name": "L2 Read + Write", "ratio": "NA"},
]}]}  # fmt: skip


def test_blocks_are_read_to_the_end(tmp_path: Path) -> None:
    profile = loaded(write_blocks(
        tmp_path / "visualize_data.bin", block(5, base()), block(6, LOAD), block(7, {"subblock_detail": []}),
        block(8, {"core_memory_map": []}), block(9, MEMORY), block(12, CORES), block(13, ROOFLINE), block(14, {}),
        block(77, b"?"), block(1, "// text", "/tmp/kernel.cpp"),
    ))  # fmt: skip
    (launch,) = profile.launches
    assert (launch.name, launch.duration_ns, launch.grid, launch.device) == (
        "main_kernel_mix_aic",
        300_066,
        (2, 1, 1),
        3,
    )
    assert launch.metrics == {
        "Mix Block Dim": Metric(4.0), "roofline: GM/L2, GM Read + Write": Metric(75.0, "%"),
        "bound by, as msprof says": Metric("memory bound"),
    }  # fmt: skip
    assert [(one.number, one.name) for one in profile.devices] == [(3, "Ascend910B4")]
    assert parts(profile) == {
        "block 0 cube0": {
            "duration": Metric(250.5, "us"), "Cube Wait share": Metric(25.44, "%"),
            "Cube FP": Metric(80.0, "instructions"), "cycles": Metric(413123.0, "cycles"),
            "L2cache_hit_rate": Metric(93.6, "%"), "throughput": Metric(6158848.0, "B"),
        },
        "block 0 vector0": {"duration": Metric(133.25, "us")},
        "block 0": {
            "L1: L1 Read MTE, requests": Metric(12984.0), "L1: L1 Read MTE, throughput": Metric(10.316486, "GB/s"),
        },
    }  # fmt: skip
    assert profile.sources == {"/tmp/kernel.cpp": "// text"}
    assert [note.message for note in profile.notes] == [
        "blocks of type 14 are not shown", "blocks of type 77 are not shown",
    ]  # fmt: skip


def instructions(**columns: Any) -> bytes:
    entry = {"Address": "0x10", "Source": "VADD", "AscendC Inner Code": "/tmp/k.cpp:9", "Instructions Executed": 4}
    return block(4, {"Cores": [], "Instructions": [{**entry, **columns}]})


def test_samples_of_the_program_counter_on_the_board(tmp_path: Path) -> None:
    sampled = {"Percent": 100, "Details": {"IBuf_Empty": 0, "Scoreboard_Not_Ready": 30, "Active": 12}}
    path = write_blocks(
        tmp_path / "v.bin", block(5, base()), instructions(**{"Stall Sampling(All Samples)": sampled})
    )
    (samples,) = loaded(path).samples
    assert (samples.unit, samples.total, samples.stalls) == ("samples", 42, {"stall_scoreboard_not_ready": 30})
    assert samples.instructions[0].frames == (Place("/tmp/k.cpp", 9),)
    assert samples.instructions[0].executed == 4


def test_a_timeline_of_pipes_on_the_board(tmp_path: Path) -> None:
    trace = simulated([instruction("MTE2", "MTE2", 1.0, 0.5, 0)])
    profile = loaded(write_blocks(tmp_path / "v.bin", block(5, base()), block(2, trace)))
    (launch,) = profile.launches
    assert (launch.name, launch.start_ns, launch.duration_ns) == ("main_kernel_mix_aic", 1_000, 300_066)
    assert len(profile.slices) == 1


def test_tables_and_blocks_of_one_folder_are_one_launch(tmp_path: Path) -> None:
    folder = write_board(tmp_path / "OPPROF_1_X")
    write_blocks(folder / "visualize_data.bin", block(5, base(name="other")), block(9, MEMORY))
    profile = loaded(folder)
    assert [one.name for one in profile.launches] == ["main_kernel_mix_aic"]
    assert parts(profile)["block 0 cube0"]["aic_cube_ratio"] == Metric(0.11)
    assert parts(profile)["block 0 cube0"]["duration"] == Metric(250.5, "us")
    assert "block 0" in parts(profile)


def test_source_text_alone_is_nothing_to_show(tmp_path: Path) -> None:
    profile = loaded(write_blocks(tmp_path / "v.bin", block(1, "// text", "/tmp/kernel.cpp")))
    assert profile.nothing_to_show is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (block(5, base())[:-8], "block at byte 0: Input data was truncated"),
        (block(5, base()) + block(6, LOAD)[:7], "the file ends within a header of 7 bytes"),
        (block(5, base()) + b"x" * 40, "no header of a block stands here"),
        (block(5, b"{not json}"), "block at byte 0: JSON is malformed"),
        (block(5, base(duration="soon")), "block at byte 0: soon is no time in µs"),
        (block(6, {"subblock_detail": [{"block_id": 1}]}), "block at byte 0: KeyError 'value'"),
    ],
)
def test_a_damaged_file_names_itself_and_the_place(tmp_path: Path, data: bytes, message: str) -> None:
    path = write_blocks(tmp_path / "visualize_data.bin", data)
    with pytest.raises(ProfileError) as raised:
        load_profiles(path)
    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)
    assert "; expected " in str(raised.value)
