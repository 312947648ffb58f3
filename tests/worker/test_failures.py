"""Faulty kernels: each gives a failure or facts, and what the compiler locates is at its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tilescope_worker.warned import warnings_in
from tilescope_worker.wire.messages import PassEnded

from .conftest import KERNELS, Run

CASES: list[dict[str, Any]] = json.loads((KERNELS / "cases" / "expected.json").read_text())
AT_ITS_LINE = {"gemm-shape", "undefined-name", "index-rank", "reduce-shape", "python-builtin-on-expr"}
WARNED = {"parallel-race", "uninitialized-read"}
IN_A_PASS = {
    ("layout-conflict", "sm_80"): "tl.LayoutInference",
    ("warp-partition", "sm_80"): "tl.LayoutInference",
    ("copy-shape", "sm_90"): "tl.LowerTileOp",
    ("copy-shape", "sm_80"): "tl.LayoutInference",
}
REPORTED = [
    case for case in CASES if case["kind"] in AT_ITS_LINE | WARNED or (case["kind"], case["target"]) in IN_A_PASS
]
"""The cases of which the compiler says something; the others show in facts, which `tests/located` looks at."""


@pytest.mark.parametrize("case", REPORTED, ids=[f"{case['file'][:-3]}-{case['target']}" for case in REPORTED])
def test_case(kernel_file: Run, case: dict[str, Any]) -> None:
    file, kind = f"cases/{case['file']}", case["kind"]
    text = (KERNELS / file).read_text()
    name = "kernel.main" if "    def main(" in text else "kernel"
    in_pass = IN_A_PASS.get((kind, case["target"]))
    answers = kernel_file(file, name, target=f"cuda:{case['target']}", record=in_pass is not None)
    located = [failure for failure in answers.failures if failure.line is not None]
    if kind in AT_ITS_LINE:
        assert (answers.failure.phase, answers.failure.line) == ("elaborate", case["line"])
        assert answers.failure.frames[-1].line == case["line"]
        assert answers.done.status == "partial"
    elif in_pass is not None:
        assert (answers.failure.phase, answers.failure.pass_name) == ("lower", in_pass)
        assert answers.failure.frames == ()
        assert answers.kernel.status == "failed"
        last = [run for run in answers.of(PassEnded) if run.status == "failed"][-1]
        assert (last.name, last.after, last.error) == (in_pass, None, answers.failure.message)
    else:
        assert answers.done.status == "ok"
        assert [failure.line for failure in located if failure.severity == "warning"] == [case["line"]]


def test_rewritten_source_stays_out_of_the_log(kernel_file: Run) -> None:
    answers = kernel_file("cases/21_python_max_on_tensor.py", "kernel.main")
    assert "__tb" not in answers.job_done.output


def test_column_of_a_name_inside_a_rewritten_kernel(kernel_file: Run) -> None:
    answers = kernel_file("cases/02_undefined_name.py", "kernel.main")
    failure = answers.failure
    source = answers.text.split("\n")[(failure.line or 0) - 1]
    assert failure.column is None or source[failure.column - 1 : (failure.end_column or 0) - 1] == "block_m"


def test_exception_in_a_macro_has_its_call_sites(kernel_file: Run) -> None:
    answers = kernel_file(
        "kernel_forms.py",
        "with_macro.main",
        N="1024",
        edit=("C[bx * block + i] = A[bx * block + i]\n\n@til", "C[bx] = A[bx, i]\n\n@til"),
    )
    lines = [frame.line for frame in answers.failure.frames]
    assert lines[-2:] == [answers.line("        body(A, C, bx, block)"), answers.line("A[bx, i]")]


def test_made_up_call_does_not_point_at_line_1(kernel_file: Run) -> None:
    answers = kernel_file("staged_gemm.py", "matmul.main", num_stages="'2'")
    assert answers.failure.line == answers.line("T.Pipelined(")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("cuda", "cuda:sm_90a"),
        ("cuda:banana", "architecture"),
        ("hip", "hip:gfx942"),
        ("metal:3", "no architecture"),
        ("vulkan", "ascend"),
        ("", "unknown target"),
    ],
)
def test_unknown_target_says_what_to_write(kernel_file: Run, target: str, said: str) -> None:
    answers = kernel_file("kernel_forms.py", "add_pf", target=target)
    assert answers.done.status == "failed"
    assert answers.failure.phase == "arguments"
    assert said in answers.failure.message


def test_kernel_that_the_back_end_has_no_code_for(kernel_file: Run) -> None:
    answers = kernel_file("staged_gemm.py", "matmul.main", target="webgpu")
    assert answers.done.status in ("failed", "partial")
    assert answers.failure.phase in ("lower", "codegen")
    assert answers.failure.message


def test_warnings_are_read_each_once() -> None:
    block = (
        "[10:00:00] : Warning: Data race detected: 2 potential race(s)\n"
        "  [1] `s(0,)` is written by multiple threads in loop (i,)\n"
        "  --> /k/a.py:18:1\n"
        "  Example:\n  i = 1\n"
        "  [2] `t(0,)` is written by multiple threads in loop (j,)\n"
        "  --> /k/a b.py:20:1\n"
        "If you believe this is a false positive, disable the check\n"
        "[10:00:01] : Warning: Unable to detect ROCm version\n"
    )
    found = warnings_in(block + block, 4)
    assert [(w.request, w.file, w.line, w.severity) for w in found] == [
        (4, "/k/a.py", 18, "warning"),
        (4, "/k/a b.py", 20, "warning"),
    ]
    assert found[1].message.startswith("`t(0,)`")
    assert "Example" in found[0].text
    assert "ROCm" not in found[0].text
