"""Rules: where a failure is shown, and in which words."""

from __future__ import annotations

import pytest

from tilescope_trace.model import Kernel, Specialization
from tilescope_trace.rules.analysis import no_tilelang, unresolved_arguments, worker_ended
from tilescope_trace.rules.failures import finding_of
from tilescope_worker.wire.messages import Failure, Frame

FILE = "/project/kernel.py"
TEXT = """import tilelang.language as T

@tilelang.jit
def matmul(M, block_M=64):
    @T.prim_func
    def main(A: T.Tensor((M, 32), "float16")):
        with T.Kernel(1, threads=96) as bx:
            A_s = T.alloc_shared((block_m, 32), "float16")
            T.gemm(A_s, B_s, C_l)  # both from above
            T.reduce_sum(f, r, dim=1)
            s = max(A_s[0, 0], 1)
    return main
"""


def kernel(missing: tuple[str, ...] = ()) -> Kernel:
    return Kernel(
        name="matmul",
        qualname="matmul",
        line=4,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="default",
        stage="buffers",
        status="failed",
        specialization=Specialization(id="0123456789ab"),
        missing=missing,
    )


def elaboration(line: int, exception: str, message: str) -> Failure:
    frames = (Frame(FILE, 5, "matmul"), Frame(FILE, line, "main"))
    return Failure(0, "elaborate", "error", exception, message, frames=frames)


def underlined(finding: object) -> str:
    line = TEXT.splitlines()[finding.line - 1]  # type: ignore[attr-defined]
    return line[finding.column - 1 : finding.end_column - 1]  # type: ignore[attr-defined]


def test_an_undefined_name_is_underlined_and_its_near_miss_offered() -> None:
    found = finding_of(elaboration(8, "NameError", "name 'block_m' is not defined"), kernel(), TEXT, FILE)
    assert (found.code, found.line, underlined(found)) == ("TS112", 8, "block_m")
    assert found.help == "did you mean 'block_M'?"
    assert (found.kernel, found.target, found.confidence) == ("matmul", "cuda:sm_90a", "exact")
    assert found.related == ()


@pytest.mark.parametrize(
    ("line", "message", "words"),
    [
        (9, "T.gemm K shape check failed: K_A = 32, K_B = 64", ["A_s", "B_s", "32", "64"]),
        (
            10,
            "Invalid reduce output shape, buffer shape is (64, 32), dim is 1, output shape is [32], "
            "expected shapes are [64] or [64, 1]",
            ["T.reduce_sum", "f", "r", "[32]", "[64] or [64, 1]"],
        ),
        (
            8,
            "Buffer A is 3-dimensional (shape=(2, 64, 64)), but 2 index(es) were provided: (i, j). Please provide",
            ["A", "3", "2 indices"],
        ),
        (11, "Cannot use and / or / not operator to Expr, hint: use tvm.tirx.all", ["max()"]),
    ],
)
def test_front_end_messages_name_the_operands_of_the_line(line: int, message: str, words: list[str]) -> None:
    found = finding_of(elaboration(line, "ValueError", message), kernel(), TEXT, FILE)
    assert found.line == line
    assert [word for word in words if word not in found.message] == []
    assert found.compiler == message


def test_a_comment_is_not_underlined() -> None:
    found = finding_of(elaboration(9, "ValueError", "something else"), kernel(), TEXT, FILE)
    assert underlined(found) == "T.gemm(A_s, B_s, C_l)"


def test_a_pass_without_a_line_points_at_the_kernel_and_says_it_is_likely() -> None:
    text = (
        "No valid warp partition for T.gemm: M=64, N=64 cannot be evenly covered by 3 warps (policy=Square). "
        "Each warp must own a multiple of 16 rows and 8 columns; adjust `threads` or the block tile shape."
    )
    failure = Failure(0, "lower", "error", "InternalError", text, text, pass_name="tl.LayoutInference")
    found = finding_of(failure, kernel(), TEXT, FILE)
    assert (found.code, found.pass_name, found.confidence) == ("TS116", "tl.LayoutInference", "likely")
    assert (found.line, underlined(found)) == (4, "matmul")
    assert "3 warps (96 threads)" in found.message


def test_a_macro_points_into_its_body_and_back_at_its_call_sites() -> None:
    frames = (Frame(FILE, 5, "matmul"), Frame(FILE, 10, "main"), Frame(FILE, 9, "body"))
    found = finding_of(Failure(0, "elaborate", "error", "ValueError", "no", frames=frames), kernel(), TEXT, FILE)
    assert found.line == 9
    assert [(place.line, place.message) for place in found.related] == [(10, "on the way here, in main")]


def test_a_failure_in_another_module_stays_at_the_call_and_names_the_other_place() -> None:
    frames = (Frame(FILE, 10, "main"), Frame("/project/macros.py", 3, "body"))
    failure = Failure(0, "elaborate", "error", "ValueError", "no", file="/project/macros.py", line=3, frames=frames)
    found = finding_of(failure, kernel(), TEXT, FILE)
    assert (found.file, found.line) == (FILE, 10)
    assert [(place.file, place.line) for place in found.related] == [("/project/macros.py", 3)]


def test_a_syntax_error_keeps_the_parsers_columns() -> None:
    failure = Failure(None, "syntax", "error", "SyntaxError", "'(' was never closed", line=9, column=19)
    found = finding_of(failure, None, TEXT, FILE)
    assert (found.code, found.line, found.column, found.kernel) == ("TS001", 9, 19, None)
    assert (found.end_line, found.end_column) > (found.line, found.column)


def test_a_compiler_warning_says_what_it_is_about() -> None:
    text = (
        "Buffer read before initialization: 1 buffer(s) read before anything writes them\n"
        "  [1] `A_s` is read before anything writes it\n"
    )
    failure = Failure(0, "lower", "warning", "", text.splitlines()[0], text, file=FILE, line=9, column=1)
    found = finding_of(failure, kernel(), TEXT, FILE)
    assert (found.code, found.severity, underlined(found)) == ("TS310", "warning", "A_s")
    assert found.message == "A_s is read before anything writes it"


def test_missing_arguments_tell_the_directive_to_write() -> None:
    found = unresolved_arguments.finding(kernel(missing=("M", "N")), TEXT, FILE)
    assert (found.code, found.severity, found.line) == ("TS003", "info", 4)
    assert "M, N" in found.message
    assert found.help is not None
    assert "# tilescope: M=..., N=..." in found.help


def test_findings_about_a_whole_file_stand_at_its_first_line() -> None:
    assert worker_ended.finding("exited with status 3", "\n\nx = 1\n", FILE).line == 3
    assert no_tilelang.finding("python3", None, "", FILE).line == 1


def test_a_value_that_a_pipeline_loses_is_no_loop_variable() -> None:
    text = """def kernel():
    for k in T.Pipelined(N, num_stages=2):
        if table[k] >= 0:
            block = table[k]
            T.copy(A[block, 0:64], tile)
"""
    said = "variables (block, ) are used, but are not passed in as API arguments"
    failure = Failure(0, "lower", "error", "InternalError", said, said, file=FILE, line=5)
    found = finding_of(failure, kernel(), text, FILE)
    assert (found.code, found.line) == ("TS128", 5)
    assert found.message.startswith("block (line 4) has no value where the compiler has moved this use")


def test_addresses_are_not_in_messages() -> None:
    said = "Check failed: one == other (0x56024a2ea930 vs. 0x56024a1d14c0) : scopes differ"
    found = finding_of(Failure(0, "lower", "error", "InternalError", said, said), kernel(), TEXT, FILE)
    assert (found.code, found.message) == ("TS102", "one == other : scopes differ")
