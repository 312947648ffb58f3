"""`tilescope profile` where there is no GPU, and what it says for Ascend; profiles in `timeline` and `compare`."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from tilescope.main import cli
from tilescope.profiling import no_device
from tilescope_passdiff.render.versus import versus_text
from tilescope_trace.errors import UsageError
from tilescope_trace.profile.machine_code import find_tool
from tilescope_trace.profile.versus.gather import Given, versus
from tilescope_trace.store.read import open_recording

H200 = Path(__file__).parents[1] / "data" / "profiles" / "h200"
needs_nvdisasm = pytest.mark.skipif(find_tool("nvdisasm") is None, reason="needs nvdisasm")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], standalone_mode=False)


@pytest.mark.skipif(no_device() is None, reason="there is a GPU here")
def test_without_a_gpu_it_says_so_and_runs_nothing(tmp_path):
    mark = tmp_path / "ran"
    done = run("profile", "-o", tmp_path / "out", "--", "touch", mark)
    assert isinstance(done.exception, UsageError)
    assert "no kernel can run with stamps" in str(done.exception)
    assert "--ascend" in str(done.exception)
    assert not mark.exists()
    assert not (tmp_path / "out").exists()


def test_a_program_is_needed():
    assert "name the program to run" in str(run("profile").exception)


def test_ascend_commands_hold_the_program_and_map_sources():
    done = run("profile", "--ascend", "--", "python", "my bench.py", "--size", "4096")
    lines = done.output.splitlines()
    commands = [line for line in lines if line.startswith("msprof")]
    assert len(commands) == 3
    assert all(line.endswith("python 'my bench.py' --size 4096") for line in commands)
    assert any(line.startswith("msprof op simulator --soc-version=") for line in commands)
    assert any('"-g"' in line for line in lines)
    assert sum(line.startswith("tilescope timeline ") for line in lines) == 3


@needs_nvdisasm
def test_timeline_puts_samples_on_python_lines_and_judges():
    files = [H200 / "gemm_ncu_source_sass.csv.gz", H200 / "gemm_ncu_details.csv", H200 / "gemm_stamps.json.gz"]
    more = ["--recording", H200 / "gemm.tscope", "--code", H200 / "gemm.cubin", "--format", "json"]
    found = json.loads(run("timeline", *files, *more).output)
    samples = found["files"][0]["samples"]
    assert {sample["file"] for sample in samples} == {"profiled_kernels.py"}
    assert sum(sample["share"] for sample in samples) == pytest.approx(1)
    assert found["files"][0]["unplaced_share"] == 0
    assert found["files"][2]["launches"][0]["recording"]["match"] == "exact"
    (judged,) = found["verdicts"]
    assert judged["verdict"]["bound"] == "compute"


def test_without_code_the_samples_stay_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELANG_CACHE_DIR", str(tmp_path))
    done = run("timeline", H200 / "gemm_ncu_source_sass.csv.gz", "--recording", H200 / "gemm.tscope")
    assert "the machine code that was sampled is needed" in " ".join(done.output.split())


@needs_nvdisasm
def test_code_is_found_in_tilelangs_cache(tmp_path, monkeypatch):
    folder = tmp_path / "0.1.15" / "linux-x86_64" / "kernels" / "key"
    folder.mkdir(parents=True)
    (folder / "executable.so").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(57) + (H200 / "gemm.cubin").read_bytes())
    (folder / "device_kernel.cu").write_text(run("show", H200 / "gemm.tscope", "--generated").output)
    monkeypatch.setenv("TILELANG_CACHE_DIR", str(tmp_path))
    more = ["--recording", H200 / "gemm.tscope", "--format", "json"]
    found = json.loads(run("timeline", H200 / "gemm_ncu_source_sass.csv.gz", *more).output)
    assert found["files"][0]["unplaced_share"] == 0


@pytest.mark.parametrize("kernel", ["gemm", "attention"])
def test_profiles_of_stamps_are_valid(kernel):
    schema = json.loads(run("schema", "stamps").output)
    jsonschema.validate(json.loads(gzip.decompress((H200 / f"{kernel}_stamps.json.gz").read_bytes())), schema)


def test_profiles_are_compared_with_profiles():
    one = H200 / "gemm.tscope"
    done = run("compare", one, one, "--profile-a", H200 / "gemm_stamps.json.gz")
    assert "give --profile-a and --profile-b" in str(done.exception)
    both = ["--profile-a", H200 / "gemm_stamps.json.gz", "--profile-b", H200 / "gemm_stamps.json.gz"]
    found = json.loads(run("compare", one, one, *both, "--format", "json").output)["profiles"]
    assert len(found["lanes"]) == 96
    assert any("no samples" in missing for missing in found["missing"])


@needs_nvdisasm
def test_shares_of_lines_keep_their_room_on_a_narrow_terminal():
    with open_recording(H200 / "gemm.tscope") as recording:
        side = Given(recording, [H200 / "gemm_ncu_source_sass.csv.gz"], [H200 / "gemm.cubin"])
        console = Console(file=io.StringIO(), width=80)
        console.print(versus_text(versus(side, side), 40))
    text = console.file.getvalue()
    row = next(line for line in text.splitlines() if "T.gemm(" in line)
    assert row.split()[:5] == ["46.9%", "46.9%", "+0.0", "barrier", "barrier"]
    assert max(map(len, text.splitlines())) <= 80


def test_what_padding_was_worth_stands_in_the_comparison():
    recordings = [H200 / f"gemm_k{depth}.tscope" for depth in (4100, 4104)]
    stamps = [H200 / f"gemm_k{depth}_stamps.json.gz" for depth in (4100, 4104)]
    done = run("compare", *recordings, "--profile-a", stamps[0], "--profile-b", stamps[1])
    assert done.output.startswith("they differ")
    assert "profiles: 439.0 µs before, 259.1 µs after (-41.0%)" in done.output
    bounds = []
    for depth, recording, stamped in zip((4100, 4104), recordings, stamps, strict=True):
        counters = H200 / f"gemm_k{depth}_ncu_details.csv"
        output = run("timeline", stamped, counters, "--recording", recording).output
        bounds.append(output.split("bound by ")[1].split()[0])
    assert bounds == ["latency", "compute"]


def test_lanes_of_another_kernel_are_not_compared():
    one = H200 / "gemm.tscope"
    both = ["--profile-a", H200 / "attention_stamps.json.gz", "--profile-b", H200 / "gemm_stamps.json.gz"]
    found = json.loads(run("compare", one, one, *both, "--format", "json").output)["profiles"]
    assert not found["lanes"]
    assert "A: no launch of its profiles is of the recorded kernel" in found["missing"]
