"""`tilescope timeline`: text, JSON and the exported trace."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from pathlib import Path

import jsonschema
import pytest
from tests.conftest import MakeRecording
from tests.profile.cuda_files import DATA, GEMM, content
from tests.recordings import INFO, SOURCE

from tilescope.main import main
from tilescope.schemas import SCHEMAS
from tilescope_trace.model import Launch
from tilescope_trace.profile.load import load_profiles
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
from tilescope_trace.store.read import open_recording
from tilescope_worker.wire.facts import MemoryUse

TORCH = DATA / "torch_profiler_h200_gemm_relu.json"


@pytest.fixture
def recording(make_recording: MakeRecording) -> Path:
    """Of a kernel that launches as the one in the recorded profiles does."""
    launch = Launch(
        grid=(16, 32),
        threads=256,
        threads_lowered=384,
        shared_dynamic_bytes=147456,
        memory=(MemoryUse("shared", 148480),),
    )
    kernel = dataclasses.replace(INFO.kernel, launch=launch)
    source = f'extern "C" __global__ void __launch_bounds__(384, 1) {GEMM}(half_t* A) {{\n}}\n'
    return make_recording("gemm", generated=source, info=dataclasses.replace(INFO, kernel=kernel))


def test_json_is_as_published(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["torch_profiler_h200_gemm_relu.json", "ncu_source_cuda_sass_no_line.csv.gz", "ncu_source_cuda_only.csv",
             "iket_pipe.trace.json.gz", "proton_tree.hatchet"]  # fmt: skip
    paths = [str(DATA / name) for name in names]
    assert main(["timeline", *paths, "--recording", str(recording), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMAS["timeline"]())
    torch, source, nothing, iket, tree = document["files"]
    assert [file["file"] for file in document["files"]] == paths
    first = torch["launches"][0]
    event = next(one for one in json.loads(TORCH.read_text())["traceEvents"] if one.get("cat") == "kernel")
    assert (first["name"], first["grid"], first["duration_ns"]) == (GEMM, event["args"]["grid"], 206591)
    assert (first["recording"]["match"], first["recording"]["file"]) == ("unique", str(recording))
    assert torch["launches"][1]["recording"]["match"] == "none"
    assert torch["lanes"][first["lane"]]["title"] == "stream 7"
    assert sum(lane["slices"] for lane in torch["lanes"]) == torch["slices"]
    assert source["samples_total"] == 19989
    assert source["samples"][0]["share"] == source["samples"][0]["samples"] / 19989
    assert "nothing_to_show" in nothing
    assert [note["subject"] for note in iket["notes"]] == ["load"]
    assert tree["launches"][0]["count"] == 3
    assert "recording" not in main_without_recordings(capsys, TORCH)["files"][0]["launches"][0]


def main_without_recordings(
    capsys: pytest.CaptureFixture[str], path: Path
) -> dict[str, list[dict[str, list[object]]]]:
    assert main(["timeline", str(path), "--format", "json"]) == 0
    document: dict[str, list[dict[str, list[object]]]] = json.loads(capsys.readouterr().out)
    return document


def test_text_sums_launches_up_by_kernel(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(TORCH), "--recording", str(recording.parent)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "gemm.tscope: what bounds it is not known"
    assert any(line.startswith(f"{TORCH}  torch.profiler, NVIDIA H200, 9 launches, 54 slices") for line in lines)
    durations = [206.591, 207.710, 201.791]
    row = next(line.split() for line in lines if line.endswith(f" {GEMM}"))
    assert row[:3] == ["3", f"{sum(durations):.1f}", "µs"]
    assert row[3:7] == ["206.6", "µs", "16×32", "384"]
    assert row[7] == "gemm.tscope"
    assert f"  {GEMM}: unique, name, grid, block and shared memory fit" in "\n".join(lines)


def test_hot_lines_with_their_source(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the H200's profile the recording has the source; the shares add up to what is on lines."""
    h200 = DATA / "h200"
    given = [str(h200 / "gemm_ncu_source_sass.csv.gz"), "--code", str(h200 / "gemm.cubin")]
    assert main(["timeline", *given, "--recording", str(h200 / "gemm.tscope"), "--format", "json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    with open_recording(h200 / "gemm.tscope") as recording:
        sources = {source.path: source.text.split("\n") for source in recording.sources()}
    for sample in file["samples"]:
        assert sample["text"] == sources[sample["file"]][sample["line"] - 1].strip()
    assert sum(sample["share"] for sample in file["samples"]) == pytest.approx(1 - file["unplaced_share"])
    assert main(["timeline", *given, "--recording", str(h200 / "gemm.tscope")]) == 0
    hottest = file["samples"][0]
    line = next(line for line in capsys.readouterr().out.splitlines() if line.endswith(hottest["text"]))
    assert line.split()[0] == f"{hottest['share']:.1%}"


def test_the_verdict_comes_first_and_long_notes_last_and_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    h200 = DATA / "h200"
    given = [str(h200 / "gemm_k4100_ncu_details.csv"), "--recording", str(h200 / "gemm_k4100.tscope")]
    assert main(["timeline", *given]) == 0
    short = capsys.readouterr().out.splitlines()
    assert short[0] == "gemm_k4100.tscope: bound by latency"
    notes = [line.removeprefix("  note: ") for line in short if line.startswith("  note: ")]
    assert main(["timeline", *given, "--format", "json"]) == 0
    full = [" ".join(note["message"].split()) for note in json.loads(capsys.readouterr().out)["files"][0]["notes"]]
    assert len(notes) == len(full)
    for shown, whole in zip(notes, full, strict=True):
        assert shown.endswith(" …")
        assert whole.startswith(shown.removesuffix(" …"))
    assert any("--notes" in line for line in short)
    assert main(["timeline", *given, "--notes"]) == 0
    assert all(f"note: {one}" in capsys.readouterr().out for one in full[:1])


def test_columns_without_a_value_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(DATA / "ncu_source_sass_fixed_line.csv.gz")]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["launches", "kernel"]


def test_every_launch_for_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(TORCH), "--launches", "--kernel", "gemm"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.endswith(GEMM)]
    assert [row.split()[3:5] for row in rows] == [["206.6", "µs"], ["207.7", "µs"], ["201.8", "µs"]]


def test_the_exported_trace_is_one_and_has_the_same_slices(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "joined.json"
    other = DATA / "iket_pipe.trace.json.gz"
    assert main(["timeline", str(TORCH), str(other), "--recording", str(recording), "--export", str(out)]) == 0
    assert f"wrote {out}" in capsys.readouterr().err
    events = json.loads(out.read_text())["traceEvents"]
    before = [profile for path in (TORCH, other) for profile in load_profiles(path)]
    slices = [one for one in events if one["ph"] == "X"]
    passes = {one["pid"] for one in events if one["name"] == "process_name" and "compile of" in one["args"]["name"]}
    own = [one for one in slices if one["pid"] not in passes]
    assert len(own) == sum(len(profile.slices) for profile in before)
    assert round(sum(one["dur"] for one in own) * 1000) == sum(sum(one.slices.duration_ns) for one in before)
    assert sum(one["ph"] == "s" for one in events) == len(before[0].flows)
    launch = next(one for one in own if one["name"] == GEMM)
    assert (launch["args"]["recording"], launch["args"]["kernel"]) == (str(recording), "main for cuda:sm_90a")
    assert any("LowerTileOp" in one["name"] for one in slices if one["pid"] in passes)
    (again,) = load_profiles(out)
    assert again.format == "Chrome trace"


def test_slices_of_known_lines_carry_their_text(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = 1 + SOURCE.split("\n").index("            T.clear(C_local)")
    site = StampSite(1, 30, 30, "fill", None, (StampPlace("src/gemm.py", line),), "for (...) {")
    warp = WarpStamps(0, 0, 1, 1_795_963_025_890_439_008, 1_795_963_025_890_439_072, 64, full=False, stamps=(1, 0))
    timing = Timing((), (), None)
    with open_recording(recording) as opened:
        digest = hashlib.sha256((opened.generated() or "").encode()).hexdigest()
    kernel = StampedKernel(GEMM, "m", digest, None, (16, 32, 1), (384, 1, 1), 1, 1.0, timing, (site,), (warp,))
    write(StampProfile(SCHEMA, "0", "now", (), {}, 8, (kernel,)), tmp_path / "stamps.json")
    out = tmp_path / "out.json"
    command = ["timeline", str(tmp_path / "stamps.json"), "--recording", str(recording), "--export", str(out)]
    assert main(command) == 0
    events = json.loads(out.read_text())["traceEvents"]
    (found,) = (one for one in events if one["name"] == "fill: T.clear(C_local)")
    assert found["args"]["source"] == "T.clear(C_local)"
    assert found["args"]["line"] == f"src/gemm.py:{line}"
    assert (found["ts"], found["dur"]) == (0, 0.064), "nanoseconds survive, whatever the time of day"


def test_exported_slices_tell_the_passes_that_lowered_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    h200, out = DATA / "h200", tmp_path / "out.json"
    given = [str(h200 / "gemm_stamps.json.gz"), "--recording", str(h200 / "gemm.tscope"), "--export", str(out)]
    assert main(["timeline", *given]) == 0
    events = json.loads(out.read_text())["traceEvents"]
    waits = next(one for one in events if one["name"].startswith("wait for data: T.gemm("))
    lowered = next(one for one in waits["args"]["passes"] if one.startswith("tl.LowerTileOp: "))
    assert "ptx_wgmma_ss" in lowered
    with open_recording(h200 / "gemm.tscope") as recording:
        labels = {record.label for record in recording.passes}
    assert {one.partition(": ")[0] for one in waits["args"]["passes"]} <= labels


def test_all_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", "--formats"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert {"torch.profiler", "Nsight Systems SQLite", "IKET trace", "tilescope stamps"} <= set(listed)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a profile"),
        (["{tmp}/none.json"], "there is no such file or folder"),
        (["{tmp}/empty.json"], "the file is empty; expected one of: "),
        (["{tmp}/cut.json"], "behind byte"),
        ([str(TORCH), "--recording", "{tmp}/empty.json"], "empty.json"),
        ([str(TORCH), "--recording", "{tmp}"], "no recordings (*.tscope) in this folder"),
        ([str(TORCH), "--export", "{tmp}/no/out.json"], "cannot be written"),
        (["{tmp}/cut.json", "--export", "{tmp}/../{name}/cut.json"], "--export would overwrite"),
        (["/dev/null"], "it is no regular file"),
    ],
)
def test_bad_input_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    (tmp_path / "empty.json").touch()
    (tmp_path / "cut.json").write_bytes(content(TORCH.name)[:9000])
    given = (argument.replace("{tmp}", str(tmp_path)).replace("{name}", tmp_path.name) for argument in arguments)
    assert main(["timeline", *given]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


def test_samples_without_lines_say_why(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sass, raw = (str(DATA / name) for name in ("ncu_source_sass_fixed_line.csv.gz", "ncu_raw.csv.gz"))
    assert main(["timeline", sass]) == 0
    assert f"samples of {GEMM} are on no line" in capsys.readouterr().out
    assert main(["timeline", raw, "--recording", str(recording)]) == 0
    assert "sums of the whole kernel only" in capsys.readouterr().out
    code = str(DATA / "h200" / "attention.cubin")
    given = ["--recording", str(DATA / "h200" / "gemm.tscope"), "--code", code]
    assert main(["timeline", str(DATA / "h200" / "gemm_ncu_source_sass.csv.gz"), *given]) == 0
    assert f"{code}: has no code of {GEMM}" in capsys.readouterr().err


def test_a_kernel_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(TORCH), "--kernel", "gemmm"]) == 0
    assert "no kernel's name contains gemmm" in capsys.readouterr().out


def test_long_paths_leave_shares_their_room(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(DATA / "ncu_source_cuda_sass_no_line.csv.gz")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "barrier.h:" in line]
    assert lines
    assert all("…/" in line and line.split()[0].endswith("%") for line in lines)


def test_a_path_that_is_no_text_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd, out = tmp_path / os.fsdecode(b"trace\xff.json"), tmp_path / "out.json"
    try:
        odd.write_bytes(TORCH.read_bytes())
    except OSError:
        pytest.skip("the file system takes text only")
    assert main(["timeline", str(odd), "--export", str(out)]) == 0
    assert any(event.get("id") for event in json.loads(out.read_text())["traceEvents"])
