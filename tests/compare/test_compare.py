"""tilescope compare: the same twice, another argument, another target, made-up differences, bad input."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.recordings import GEMM, INFO, LAYOUTS, STAGED, TILES, Step

from tilescope.main import main
from tilescope.schemas import SCHEMAS
from tilescope_passdiff.normalise import with_launch_names
from tilescope_trace.model import Buffer, Layout

MakeRecording = Callable[..., Path]


def compared(capsys: pytest.CaptureFixture[str], a: Path, b: Path) -> tuple[int, Any]:
    code = main(["compare", str(a), str(b), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMAS["compare"]())
    assert code == (0 if document["same"] else 1)
    return code, document


def test_one_kernel_recorded_twice_is_the_same(recorded: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = compared(capsys, recorded["gemm"], recorded["gemm again"])
    assert code == 0
    assert document["environment"] == document["buffers"] == document["facts"] == []
    assert document["first_divergence"] is None
    assert document["generated"]["hunks"] == []
    assert {pair["outcome"] for pair in document["passes"]} == {"same"}


def test_another_argument_is_told_before_what_it_changes(
    recorded: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = compared(capsys, recorded["gemm"], recorded["gemm of wider blocks"])
    assert code == 1
    assert document["environment"] == [{"name": "argument block_K", "a": 32, "b": 64}]
    assert document["first_divergence"]["where"] == "input"
    shared = {(one["subject"], one["fact"]): one["values"] for one in document["buffers"]}
    assert shared["A_shared", "bytes"] == [24576, 49152]
    assert [text.split()[1] for text in shared["A_shared", "layout"]] == ["64B", "128B"]
    assert main(["compare", str(recorded["gemm"]), str(recorded["gemm of wider blocks"]), "--lines", "5"]) == 1
    text = capsys.readouterr().out
    assert text.index("argument block_K: 32 | 64") < text.index("first divergence") < text.index("A_shared (line")
    assert "more lines; --lines 0 shows all" in text


def test_targets_part_where_their_pipelines_do(recorded: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = compared(capsys, recorded["elementwise metal"], recorded["elementwise webgpu"])
    assert code == 1
    assert {"name": "target", "a": "metal", "b": "webgpu"} in document["environment"]
    # The target stands in the IR from the first pass on and is no divergence.
    assert document["passes"][3]["outcome"] == "same"
    assert document["generated"]["insertions"] > 0
    alone = [pair["a"]["name"] for pair in document["passes"] if pair["outcome"] == "only-a"]
    assert "tl.MetalFragmentToSimdgroup" in alone


def test_the_first_pass_that_makes_something_else_is_named(
    make_recording: MakeRecording, capsys: pytest.CaptureFixture[str]
) -> None:
    other = TILES.replace("T.unroll(64)", "T.unroll(16)")
    steps = (*GEMM[:5], Step("tl.LowerTileOp", LAYOUTS, other), Step("tirx.Simplify", other, other))
    _, document = compared(capsys, make_recording("a"), make_recording("b", steps))
    found = document["first_divergence"]
    assert (found["a"], found["b"]) == ({"index": 5, "name": "tl.LowerTileOp"},) * 2
    assert found["where"] == "output"
    assert found["purpose"].startswith("Replaces each tile operation")
    assert [line["text"].strip() for line in found["diff"]["hunks"][0]["lines"] if line["kind"] == "insert"] == [
        "for i in T.unroll(16):"
    ]


def reshaped(text: str | None) -> str:
    """A text of another shape."""
    return (text or "").replace("1024", "2048")


def test_passes_that_differ_in_constants_only_are_told_from_those_that_do_other_things(
    make_recording: MakeRecording, capsys: pytest.CaptureFixture[str]
) -> None:
    def step(of: Step, after: str | None = None) -> Step:
        return dataclasses.replace(of, before=reshaped(of.before), after=after or reshaped(of.after))

    other = make_recording("b", tuple(map(step, GEMM)))
    _, document = compared(capsys, make_recording("a"), other)
    assert {pair["outcome"] for pair in document["passes"]} == {"constants"}
    assert document["first_divergence"]["diff"]["constants"]
    assert document["first_structural"] is None

    tiles = reshaped(TILES).replace("T.tma_load(", "T.cp_async(")
    # The pass inside moves with the text, and the one behind finds nothing to do in either.
    inside = dataclasses.replace(step(GEMM[6], tiles), before=tiles.replace("k % 3", "k % 3 + 0"))
    last = dataclasses.replace(GEMM[7], before=tiles, after=tiles)
    steps = (*map(step, GEMM[:5]), step(GEMM[5], tiles), inside, last)
    a, b = make_recording("a"), make_recording("c", steps)
    _, document = compared(capsys, a, b)
    outcomes = [pair["outcome"] for pair in document["passes"]]
    assert outcomes[:6] == ["constants"] * 5 + ["differs"]
    assert outcomes[7] == "follows"
    assert document["first_divergence"]["a"]["index"] == 0
    found = document["first_structural"]
    assert (found["a"], found["where"]) == ({"index": 5, "name": "tl.LowerTileOp"}, "output")
    changed = [line["text"] for hunk in found["diff"]["hunks"] for line in hunk["lines"] if line["kind"] != "equal"]
    assert all("tma_load" in line or "cp_async" in line for line in changed), "constants are left out"
    assert not found["diff"]["constants"]

    assert main(["compare", str(a), str(b)]) == 1
    text = capsys.readouterr().out
    assert "5 differ in constants only" in text
    assert "pass 0 pass_fn: what goes in differs already, in constants only" in text
    assert "first divergence beyond constants: pass 5 tl.LowerTileOp: what went in differs in constants only" in text


def test_a_real_kernel_of_another_shape_names_the_pass_where_more_than_constants_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """K = 4100 is no multiple of what TMA can load, 4104 is: the copy of A becomes another one, in this pass."""
    profiles = Path(__file__).parents[1] / "data" / "profiles" / "h200"
    _, document = compared(capsys, profiles / "gemm_k4100.tscope", profiles / "gemm_k4104.tscope")
    assert document["first_structural"]["a"]["name"] == "tl.ProducerConsumerWarpSpecialized"
    changed = [
        (line["kind"], line["text"].strip().partition("(")[0])
        for hunk in document["first_structural"]["diff"]["hunks"]
        for line in hunk["lines"]
        if line["kind"] != "equal"
    ]
    assert changed == [("delete", "T.copy"), ("insert", "T.tma_copy")]
    outcomes = {pair["a"]["name"]: pair["outcome"] for pair in document["passes"]}
    assert outcomes["tl.InjectAssumes"] == "constants"
    assert outcomes["tl.LayoutInference"] == "follows"
    assert outcomes["tl.LowerTileOp"] == "differs"
    assert sum(outcome == "differs" for outcome in outcomes.values()) < len(outcomes) / 2


def test_a_pass_of_one_side_only_is_the_divergence_where_it_changed_something(
    make_recording: MakeRecording, capsys: pytest.CaptureFixture[str]
) -> None:
    idle, busy = Step("tl.Idle", STAGED, STAGED), Step("tl.Extra", STAGED, LAYOUTS)
    _, document = compared(capsys, make_recording("a", GEMM[:4]), make_recording("b", (*GEMM[:4], idle, busy)))
    assert document["first_divergence"]["b"] == {"index": 5, "name": "tl.Extra"}
    assert (document["first_divergence"]["a"], document["first_divergence"]["where"]) == (None, "only-b")
    _, document = compared(capsys, make_recording("a", GEMM[:4]), make_recording("b", (*GEMM[:4], idle)))
    assert document["same"]


def test_numbers_of_names_and_names_of_launch_dimensions_are_no_difference(
    make_recording: MakeRecording, capsys: pytest.CaptureFixture[str]
) -> None:
    def renamed(text: str) -> str:
        return (
            text.replace("tx =", "thread_binding =").replace("for k in", "for k_1 in").replace("k * 32", "k_1 * 32")
        )

    steps = tuple(
        dataclasses.replace(step, before=renamed(step.before), after=renamed(step.after or "")) for step in GEMM
    )
    assert compared(capsys, make_recording("a"), make_recording("b", steps))[0] == 0
    assert with_launch_names("for bx in T.thread_binding(8):\n  thread_binding = T.launch_thread_idx(0)\n") == (
        "for bx in T.thread_binding(8):\n  tx = T.launch_thread_idx(0)\n"
    )


def test_layouts_are_compared_by_name_wherever_the_lines_are(
    make_recording: MakeRecording, capsys: pytest.CaptureFixture[str]
) -> None:
    def info(line: int, summary: str) -> Any:
        buffer = Buffer("A_shared", line, 1, (128, 32), "float16", "shared.dyn", layout=Layout("shared", summary))
        return dataclasses.replace(INFO, kernel=dataclasses.replace(INFO.kernel, line=line, buffers=(buffer,)))

    a, moved = make_recording("a", info=info(10, "swizzle 64B")), make_recording("b", info=info(20, "swizzle 64B"))
    assert compared(capsys, a, moved)[0] == 0
    _, document = compared(capsys, a, make_recording("c", info=info(20, "swizzle 128B")))
    assert [(one["fact"], one["values"]) for one in document["buffers"]] == [
        ("layout", ["swizzle 64B", "swizzle 128B"])
    ]


def test_a_failed_compile_compares_with_a_good_one(
    make_recording: MakeRecording, failed_recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = compared(capsys, make_recording(), failed_recording)
    assert code == 1
    assert document["first_divergence"]["a"]["name"] == "tl.LayoutInference"
    assert main(["compare", str(make_recording("again")), str(failed_recording)]) == 1
    assert "status: ok | failed" in capsys.readouterr().out


def test_what_cannot_be_read_is_one_message(
    make_recording: MakeRecording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.tscope").write_text("no recording")
    for other in ("text.tscope", "none.tscope"):
        assert main(["compare", str(make_recording()), str(tmp_path / other)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert other in captured.err
