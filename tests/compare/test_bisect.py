"""tilescope bisect: texts, patterns and facts, what is never there, bad questions."""

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


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["bisect", *arguments, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMAS["bisect"]())
    return document


@pytest.mark.parametrize(
    ("question", "name", "before", "after"),
    [
        (["--contains", "tma_load"], "tl.LowerTileOp", 0, 1),
        (["--contains", "layout_map"], "tl.LayoutInference", 0, 1),
        (["--absent", "T.fill"], "tl.LowerTileOp", 1, 0),
        (["--regex", r"unroll\(\d+\)"], "tl.LowerTileOp", 0, 1),
        (["--regex", r"^ +T\.fill", "--removed"], "tl.LowerTileOp", 1, 0),
        (["--fact", "A_shared.shape==[3, 128, 32]"], "tl.InjectSoftwarePipeline", [128, 32], [3, 128, 32]),
        (["--fact", "A_shared.layout"], "tl.LayoutInference", None, True),
        (["--fact", "calls.tma_load >= 1"], "tl.LowerTileOp", 0, 1),
        (["--fact", "loops.unrolled==1"], "tl.LowerTileOp", 0, 1),
    ],
)
def test_the_pass_is_found_with_what_holds_on_both_sides(
    question: list[str], name: str, before: Any, after: Any, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = found(capsys, recording, *question)
    assert document["pass"]["name"] == name
    assert (document["before"]["value"], document["after"]["value"]) == (before, after)
    assert document["hunks"]
    assert document["purpose"]


def test_the_answer_names_the_pass_its_purpose_and_its_diff(
    recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", recording, "--contains", "tma_load", "--context", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "the text 'tma_load' is introduced by pass 5 tl.LowerTileOp"
    assert "Replaces each tile operation" in lines[1]
    assert any(line.startswith("+") and "T.tma_load(" in line for line in lines)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (["--contains", "T.gemm"], "it is there before the first pass, and it stays to the end"),
        (["--contains", "T.fill"], "it is there before the first pass; --absent finds the pass that removes it"),
        (["--contains", "__global__"], "line 2 of the generated source"),
        (["--contains", "wgmma"], "it is in no IR of the recording"),
        (["--absent", "T.gemm"], "no pass removes the text 'T.gemm': it stays to the end"),
        (["--absent", "wgmma"], "it is never there"),
        (["--fact", "launch.threads==256"], "no pass introduces launch.threads==256"),
    ],
)
def test_what_no_pass_did_is_said_with_where_it_is(
    question: list[str], said: str, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", recording, *question]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ([], "give one of"),
        (["--contains", "a", "--absent", "b"], "give one of"),
        (["--contains", ""], "not empty"),
        (["--regex", "("], "no regular expression"),
        (["--fact", "A_shared"], "no fact"),
        (["--fact", "A_shared.colour==red"], "there is no fact 'colour'"),
        (["--fact", "launch.colour"], "there is no fact 'colour'"),
    ],
)
def test_bad_questions_are_one_message(
    question: list[str], said: str, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bisect", recording, *question]) == 2
    assert said in capsys.readouterr().err


def test_facts_of_a_real_kernel(recorded: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = str(recorded["gemm"])
    threads = found(capsys, path, "--fact", "launch.threads==256")
    assert threads["pass"]["name"] == "tl.ProducerConsumerWarpSpecialized"
    assert (threads["before"]["value"], threads["after"]["value"]) == (128, 256)
    swizzle = found(capsys, path, "--fact", "A_shared.layout.swizzle==64B")
    assert swizzle["pass"]["name"] == "tl.LayoutInference"
    assert "given layouts" in swizzle["summary"]
    assert found(capsys, path, "--contains", "ptx_wgmma")["pass"]["name"] == "tl.LowerTileOp"
