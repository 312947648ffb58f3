"""passes, show and diff: text in a pipe, JSON that validates, and what is said about bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tilescope.main import main
from tilescope.schemas import SCHEMAS

MakeRecording = Callable[..., Path]


@pytest.fixture
def recording(make_recording: MakeRecording) -> str:
    return str(make_recording())


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], name: str, *arguments: str) -> Any:
    document = json.loads(run(capsys, name, *arguments, "--format", "json"))
    jsonschema.validate(document, SCHEMAS[name]())
    return document


def test_passes_are_listed_with_their_changes(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "passes", recording).splitlines()
    assert "matmul.main for cuda:sm_90a: 8 passes" in lines[0]
    assert any("tl.LayoutInference" in line and "+1" in line for line in lines)
    assert all(line == line.rstrip() for line in lines)
    assert any(
        "tl.InjectSoftwarePipeline" in line and "A_shared × 3 stages, shared 8 → 24 KiB" in line for line in lines
    )


def test_passes_without_effect_are_only_counted(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "passes", recording)
    assert "tl.Simplify#1" not in out
    assert "3 passes changed nothing; --all shows all" in out
    assert "tl.Simplify#1" in run(capsys, "passes", recording, "--all")
    assert out == run(capsys, "passes", recording, "--changed")


def test_what_a_pass_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Replaces each tile operation" in run(capsys, "passes", "--explain", "lowertileop#1")
    document = json.loads(run(capsys, "passes", "--explain", "tl.ThreadSync", "--format", "json"))
    jsonschema.validate(document, SCHEMAS["pass"]())
    assert "ascend" not in document["pipelines"]
    assert main(["passes", "--explain", "LayoutInfer"]) == 2
    assert "tl.LayoutInference" in capsys.readouterr().err
    assert main(["passes"]) == 2


def test_passes_as_json(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "passes", recording)
    inference = document["passes"][4]
    assert (inference["name"], inference["changed"], inference["insertions"]) == ("tl.LayoutInference", True, 1)
    assert document["passes"][6]["parent"] == 5


def test_one_pass_as_a_diff_that_patch_reads(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "diff", recording, "--pass", "LayoutInference")
    assert "--- pass 4 before\n+++ pass 4 after\n@@ " in out
    assert '\n+            T.sblock_attr({"layout_map"' in out


def test_diffs_as_json(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(run_json(capsys, "diff", recording, "--pass", "5")["diffs"]) == 1
    every = run_json(capsys, "diff", recording, "--all")["diffs"]
    assert [entry["pass"]["index"] for entry in every] == [1, 3, 4, 5, 6]


def test_ir_is_shown_with_the_python_lines_it_comes_from(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "T.match_buffer" in run(capsys, "show", recording, "--pass", "0")
    lines = run_json(capsys, "show", recording, "--pass", "0")["lines"]
    copies = [line for line in lines if "T.copy" in line["text"]]
    assert copies
    assert all(line["source"] == [{"file": "gemm.py", "line": line["line"]}] for line in copies)


def test_generated_source_in_a_pipe_is_exactly_the_source(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "show", recording, "--generated")
    assert out == '#include <tl_templates/cuda/gemm.h>\nextern "C" __global__ void main_kernel() {\n}\n'
    assert len(run_json(capsys, "show", recording, "--generated")["lines"]) == 3


def test_a_failed_compile_shows_where_it_stopped(failed_recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "layouts conflict" in run(capsys, "passes", str(failed_recording))
    assert run_json(capsys, "passes", str(failed_recording))["status"] == "failed"
    assert "failed" in run(capsys, "diff", str(failed_recording), "--all")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["passes", "{folder}/none.tscope"], ["none.tscope"]),
        (["passes", "{folder}"], ["{folder}"]),
        (["passes", "{folder}/text.tscope"], ["text.tscope"]),
        (["passes", "{folder}/empty.tscope"], ["empty.tscope"]),
        (["passes", "{folder}/short.tscope"], ["short.tscope"]),
        (["show", "{recording}", "--pass", "LowerTileOps"], ["LowerTileOps", "tl.LowerTileOp"]),
        (["show", "{recording}", "--pass", "99"], ["99", "0 to 7"]),
        (["diff", "{recording}", "--pass", "tl.Simplify"], ["ambiguous", "tl.Simplify#2"]),
    ],
)
def test_bad_recordings_and_passes_are_one_message(
    arguments: list[str], words: list[str], recording: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.tscope").write_text("no recording")
    (tmp_path / "empty.tscope").touch()
    (tmp_path / "short.tscope").write_bytes(Path(recording).read_bytes()[:5000])
    names = {"folder": str(tmp_path), "recording": recording}
    assert main([argument.format(**names) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert [word for word in words if word.format(**names) not in captured.err] == []
