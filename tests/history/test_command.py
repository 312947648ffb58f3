"""`tilescope history` and `show --generated`: text, JSON that validates, and one message for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tilescope.main import main
from tilescope.schemas import SCHEMAS
from tilescope_worker.wire.messages import GeneratedLine

from .conftest import Make, Moment, Source, state

GENERATED = Source("#include <x>\nvoid main() {\n  load(A);\n}\n", (GeneratedLine(3, ((0, 23), (1, 7)), "producer"),))
LIFE = (
    Moment("A = alloc()\nT.copy(A[0])\nT.copy(B)", ((2, 23),), (state("A", 0),)),
    Moment("new\nA = alloc()\nT.tma_copy(A[0])\nT.copy(B)", ((3, 23),), (state("A", 0, declared=(2,), used=(3,)),)),
)


@pytest.fixture
def path(make: Make) -> str:
    return str(make(LIFE, GENERATED).path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], name: str, *arguments: str) -> Any:
    document = json.loads(run(capsys, name, *arguments, "--format", "json"))
    jsonschema.validate(document, SCHEMAS[name]())
    return document


def test_each_step_has_its_change_and_its_part_of_the_diff(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "history", path, "--line", "23").split("\n") == [
        "gemm.py:23  line 23",
        "",
        "pass 0 p: created: copy",
        "@@ -0,0 +2,1 @@",
        "+T.copy(A[0])",
        "",
        "pass 0 p: lowered: copy → tma_copy",
        "@@ -2,1 +3,1 @@",
        "-T.copy(A[0])",
        "+T.tma_copy(A[0])",
        "",
        "generated source",
        "3 producer │   load(A);",
        "",
    ]


def test_a_line_as_json(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "history", path, "--line", "23")
    assert document["subject"] == {"kind": "line", "name": None, "file": "gemm.py", "line": 23}
    step = document["steps"][1]
    assert (step["pass"], step["change"]) == ({"index": 0, "name": "p"}, "lowered: copy → tma_copy")
    assert [(line["kind"], line["before"], line["after"], line["changed"]) for line in step["lines"]] == [
        ("delete", 2, None, [[3, 7]]),
        ("insert", None, 3, [[3, 11]]),
    ]
    assert document["generated"] == [{"line": 3, "text": "  load(A);", "role": "producer"}]


def test_a_buffer_as_json(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "history", path, "--buffer", "A")
    assert document["subject"] == {"kind": "buffer", "name": "A", "file": "gemm.py", "line": 17}
    assert [step["change"].partition(":")[0] for step in document["steps"]] == ["created at gemm.py", "lowered"]


def test_generated_source_with_places(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "show", path, "--generated") == GENERATED.text
    assert run(capsys, "show", path, "--generated", "--places").split("\n") == [
        "1                         │ #include <x>",
        "2                         │ void main() {",
        "3 23,macros.py:7 producer │   load(A);",
        "4                         │ }",
        "1 of 2 lines have no known Python line",
        "",
    ]
    lines = run_json(capsys, "show", path, "--generated")["lines"]
    assert lines[2] == {
        "line": 3,
        "text": "  load(A);",
        "source": [{"file": "gemm.py", "line": 23}, {"file": "/elsewhere/macros.py", "line": 7}],
        "role": "producer",
    }
    assert lines[0] == {"line": 1, "text": "#include <x>", "source": []}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "either --line N or --buffer B"),
        (["--line", "3", "--buffer", "A"], "either --line N or --buffer B"),
        (["--buffer", "A", "--file", "gemm.py"], "--file goes with --line"),
        (["--line", "5"], "Lines that have IR: 23"),
        (["--line", "500"], "gemm.py has 30"),
        (["--line", "0"], "0 is not in the range"),
        (["--line", "5", "--file", "other.py"], "no file 'other.py'"),
        (["--buffer", "B"], "There are A."),
    ],
)
def test_bad_input_is_one_message(
    path: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", path, *arguments]) == 2
    captured = capsys.readouterr()
    assert (captured.out, words in captured.err) == ("", True), captured.err


def test_an_old_recording_still_has_lines(capsys: pytest.CaptureFixture[str]) -> None:
    old = str(Path(__file__).parent.parent / "store" / "schema1.tscope")
    assert "T.copy" in run(capsys, "history", old, "--line", "18")
    assert main(["history", old, "--buffer", "A_shared"]) == 2
    assert "Record the kernel again" in capsys.readouterr().err
