"""facts, trace, doctor and demo with the real compiler: one process for each test, since it costs seconds."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tilescope.bundled import bundled
from tilescope.main import main
from tilescope.schemas import SCHEMAS

BROKEN = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def scale(N=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=96) as bx:
            A_s = T.alloc_shared((64, 64), "float16")
            C_l = T.alloc_fragment((64, 64), "float32")
            T.clear(C_l)
            T.gemm(A_s, A_s, C_l)

    return main
"""

UNRESOLVED = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def copy(N, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=block) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i]

    return main
"""

UNASSUMED = UNRESOLVED.replace("    @T.prim_func", "    assert N * 3 == 1152\n    @T.prim_func")
"""A kernel that takes one value only, which nobody would assume."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run_json(capsys: pytest.CaptureFixture[str], name: str, *arguments: str, code: int = 0) -> Any:
    assert main([name, *arguments, "--format", "json"]) == code
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMAS[name]())
    return document


def write(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def test_facts_of_several_files_and_targets_in_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    gemm, elementwise = str(bundled("gemm")), str(bundled("elementwise"))
    targets = ("--target", "cuda:sm_90a", "--target", "cuda:sm_80")
    document = run_json(capsys, "facts", gemm, elementwise, *targets)
    assert [Path(file["file"]).name for file in document["files"]] == ["gemm.py", "elementwise.py"]
    hopper, ampere = document["files"][0]["kernels"]
    assert (hopper["target"], ampere["target"]) == ("cuda:sm_90a", "cuda:sm_80")
    assert (hopper["stage"], hopper["status"], hopper["target_origin"]) == ("lowered", "ok", "command-line")
    assert (hopper["launch"]["threads"], hopper["launch"]["threads_lowered"]) == (128, 256)
    assert (ampere["launch"]["threads"], ampere["launch"]["threads_lowered"]) == (128, 128)
    by_name = {buffer["name"]: buffer for buffer in hopper["buffers"]}
    assert by_name["A_shared"]["layout"]["swizzle"] == "64B"
    copies = {kernel["target"]: kernel["operations"][2]["lowered_to"] for kernel in (hopper, ampere)}
    assert copies == {"cuda:sm_90a": ["tma_load"], "cuda:sm_80": ["cp_async"]}


def test_facts_follow_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["facts", str(bundled("gemm")), "--set", "block_K=64"]
    for config in ("tl.disable_tma_lower=true", "tl.disable_warp_specialized=true"):
        arguments += ["--pass-config", config]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "block_K=64 (command-line)" in out
    assert "[128, 64]" in out
    assert "tma_load" not in out
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_static_facts_execute_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"open('executed', 'w')\n{UNRESOLVED}"
    document = run_json(capsys, "facts", write("kernel.py", text), "--static", "--set", "N=1024")
    (kernel,) = document["files"][0]["kernels"]
    assert (kernel["stage"], document["files"][0]["tilelang"]) == ("static", None)
    assert kernel["launch"]["grid"] == [8]
    assert not Path("executed").exists()


def test_a_kernel_without_values_is_named_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "facts", write("kernel.py", UNASSUMED))
    (kernel,) = document["files"][0]["kernels"]
    assert (kernel["status"], kernel["missing"]) == ("unresolved", ["N"])
    assert [finding["code"] for finding in kernel["findings"]] == ["TS003"]


def test_assumed_values_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "facts", write("kernel.py", UNRESOLVED))
    (kernel,) = document["files"][0]["kernels"]
    assert (kernel["status"], kernel["specialization"]["origin"]) == ("ok", "assumed")
    assert kernel["specialization"]["args"]["N"] == {"value": 1024, "origin": "assumed"}
    assert any("assumed: N=1024" in note for note in kernel["notes"])
    document = run_json(capsys, "facts", "kernel.py", "--set", "N=2048", "--static")
    (kernel,) = document["files"][0]["kernels"]
    assert kernel["specialization"]["origin"] != "assumed"
    assert main(["trace", "kernel.py"]) == 0
    assert "assumed: N=1024" in capsys.readouterr().out


def test_a_kernel_that_does_not_compile_keeps_its_recording(capsys: pytest.CaptureFixture[str]) -> None:
    path = write("broken.py", BROKEN)
    assert main(["trace", path, "-o", "broken.tscope"]) == 1
    out = capsys.readouterr().out
    assert "error TS1" in out
    assert "96 threads" in out
    document = run_json(capsys, "passes", "broken.tscope")
    assert (document["status"], document["passes"][-1]["status"]) == ("failed", "failed")
    assert document["passes"][-1]["name"] == "tl.LayoutInference"


def test_a_recording_is_written_next_to_an_ignore_file(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "trace", str(bundled("ascend_vadd")))
    recording = Path(document["recording"])
    assert recording.parent == Path(".tilescope")
    identity = document["kernel"]["specialization"]["id"]
    assert re.fullmatch(rf"ascend_vadd-\w{{6}}-vector_add\.main-ascend-{identity}\.tscope", recording.name)
    assert Path(".tilescope/.gitignore").read_text() == "*\n"
    assert document["kernel"]["target"] == "ascend"
    sqlite3.connect(recording).close()
    assert main(["show", str(recording), "--generated"]) == 0
    assert "__ubuf__" in capsys.readouterr().out


def test_recordings_of_other_files_and_values_do_not_collide() -> None:
    for name in ("one.py", "folder/one.py", "two.py"):
        Path(name).parent.mkdir(exist_ok=True)
        write(name, UNRESOLVED)
    for name in ("one.py", "folder/one.py", "two.py"):
        assert main(["trace", name, "--set", "N=128"]) == 0
    assert main(["trace", "one.py", "--set", "N=256"]) == 0
    assert main(["trace", "one.py", "--set", "N=256"]) == 0
    assert len(list(Path(".tilescope").glob("*.tscope"))) == 4


def test_what_was_not_compiled_is_said_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    text = UNRESOLVED.replace("copy(N", "first(N=128") + UNASSUMED
    assert main(["facts", write("kernel.py", text)]) == 0
    said = capsys.readouterr()
    assert said.err == "tilescope: 1 of 2 kernels not compiled: copy.main has no value for N: --set N=...\n"
    assert main(["facts", "kernel.py", "--set", "N=384"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["facts", "kernel.py", "--static"]) == 0
    assert capsys.readouterr().err == ""


def test_facts_without_a_tilelang_are_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "tilelang.py").write_text("raise ImportError('half an installation')\n")
    assert main(["facts", str(bundled("gemm"))]) == 1
    said = capsys.readouterr()
    assert "TS005" in said.out
    assert "1 of 1 kernel not compiled: the interpreter cannot import tilelang" in said.err
    assert main(["facts", str(bundled("gemm")), "--static"]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["facts", "none.py"], ["none.py"]),
        (["facts", "."], ["folder"]),
        (["facts", "binary.py"], ["binary.py", "not a Python file"]),
        (["facts", "latin.py"], ["latin.py", "not a Python file"]),
        (["facts", "prose.txt"], ["prose.txt", "not a Python file"]),
        (["facts", "plain.py"], ["plain.py", "no kernels"]),
        (["trace", "plain.py"], ["plain.py", "no kernels"]),
        (["facts", "kernel.py", "--kernel", "cpy"], ["cpy", "copy.main"]),
        (["facts", "kernel.py", "--target", "cuda"], ["cuda:sm_90a"]),
        (["facts", "kernel.py", "--target", "cuda:sm90"], ["cuda:sm_90"]),
        (["facts", "kernel.py", "--set", "M=3"], ["'M'", "N, block"]),
        (["facts", "kernel.py", "--python", "./none/python"], ["none/python"]),
        (["trace", "unassumed.py"], ["N", "--set N=..."]),
        (
            ["facts", "kernel.py", "--set", "N=128", "--pass-config", "tl.disable_tma_lowr=true"],
            ["tl.disable_tma_lower"],
        ),
        (["trace", "kernel.py", "--set", "N=128", "--pass-config", "tl.disble_wgmma=true"], ["tl.disable_wgmma?"]),
        (["trace", "two.py"], ["first.main", "second.main", "--kernel"]),
        (["trace", "kernel.py", "--set", "N=128", "-o", "."], ["folder"]),
    ],
)
def test_bad_input_is_one_message(arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("binary.py").write_bytes(b"\x00\x01")
    Path("latin.py").write_bytes(b"name = '\xe9'\n")
    write("prose.txt", "This is not Python.\n")
    write("plain.py", "x = 1\n")
    write("kernel.py", UNRESOLVED)
    write("unassumed.py", UNASSUMED)
    write("two.py", UNRESOLVED.replace("copy(N", "first(N=8") + UNRESOLVED.replace("copy(N", "second(N=8"))
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert [word for word in words if word not in captured.err] == []


def test_doctor_tries_each_target(capsys: pytest.CaptureFixture[str]) -> None:
    checks = {check["name"]: check for check in run_json(capsys, "doctor")["checks"]}
    assert {"python", "interpreter", "tilelang", "torch", "nvcc", "terminal"} <= set(checks)
    for target in ("cuda:sm_80", "cuda:sm_90a"):
        assert checks[target]["status"] == "ok"
    assert all(check["remedy"] for check in checks.values() if check["status"] != "ok")


def test_doctor_says_what_is_lost_without_tilelang(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "tilelang.py").write_text("raise ImportError('half an installation')\n")
    checks = {check["name"]: check for check in run_json(capsys, "doctor", code=1)["checks"]}
    assert checks["tilelang"]["status"] == "broken"
    assert "half an installation" in checks["tilelang"]["detail"]
    assert "static facts still work" in checks["tilelang"]["lost"]


def test_passes_of_a_kernel_that_was_never_built_say_why_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(__file__).parents[1] / "kernels" / "cases" / "02_undefined_name.py"
    recording = tmp_path / "failed.tscope"
    assert main(["trace", str(source), "-o", str(recording)]) == 1
    capsys.readouterr()
    assert main(["passes", str(recording)]) == 0
    assert "02_undefined_name.py:27:32: error TS112: name 'block_m' is not defined" in capsys.readouterr().out


def test_demo_shows_hints_passes_and_a_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert "A_shared: [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB = T.alloc_shared" in out
    assert "T.gemm(A_shared, B_shared, C_local)  → wgmma" in out
    assert "T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))  → cube" in out
    assert "tl.LayoutInference" in out
    assert "+++ pass" in out
    assert "tilescope view .tilescope/demo-gemm.tscope" in out
    assert len(list(Path(".tilescope").glob("*.tscope"))) == 4
