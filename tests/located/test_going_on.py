"""After a fault the compiler goes on: what is left of the kernel keeps its facts and shows its own faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.carets import expectations, without_expectations

from tilescope_worker import lowering
from tilescope_worker.locate import locator
from tilescope_worker.locate.search import LOWERINGS

from .conftest import KERNELS, Analyse
from .test_faults import analysed

PASSES = KERNELS / "faults" / "passes.py"
FRONT_END = KERNELS / "faults" / "front_end.py"


def test_the_rest_of_a_kernel_keeps_its_facts(analyse: Analyse) -> None:
    kernel = analysed(analyse, PASSES, "attention_conflict", "cuda:sm_80").kernel
    assert (kernel.status, kernel.stage) == ("partial", "layouts")
    layouts = {buffer.name: buffer.layout for buffer in kernel.buffers}
    assert layouts["logits"] is not None
    assert layouts["weights"] is not None
    assert layouts["q"] is not None
    (note,) = kernel.notes
    assert note.startswith("facts are those of the kernel without line")


def test_what_may_depend_on_the_statement_left_out_is_not_told(analyse: Analyse) -> None:
    result = analysed(analyse, FRONT_END, "second_gemm_of_attention")
    layouts = {buffer.name: buffer.layout for buffer in result.kernel.buffers}
    assert layouts["output"] is None
    assert layouts["scores"] is None  # it is copied into an operand of the T.gemm that was left out
    assert layouts["q"] is not None
    assert result.kernel.launch is not None
    assert result.kernel.launch.shared_dynamic_bytes is None
    assert not any(operation.lowered_to for operation in result.kernel.operations)


def test_a_kernel_beside_one_that_stops_the_module_is_compiled(analyse: Analyse) -> None:
    result = analysed(analyse, KERNELS / "faults" / "loop_with_else.py", "after_it")
    assert (result.kernel.status, result.kernel.stage, result.kernel.notes) == ("ok", "lowered", ())
    assert [finding.code for finding in result.gathered.findings] == ["TS132"]


def test_kernels_that_are_built_at_import_are_gone_on_with(analyse: Analyse) -> None:
    path = KERNELS / "faults_at_import.py"
    text = path.read_text()
    result = analyse(path, without_expectations(text), target="cuda:sm_90a")
    found = {(f.kernel, f.code, f.line, f.column, f.end_column) for f in result.findings}
    expected = [(*e.text.split()[:2], e.line, e.column, e.end_column) for e in expectations(text)]
    assert found == set(expected)
    status = {kernel.name: (kernel.status, len(kernel.notes)) for kernel in result.gathered.kernels}
    assert status == {"broken": ("partial", 1), "wrong_rank": ("partial", 1), "healthy": ("ok", 0)}


def test_lines_of_a_file_stay_those_of_its_text(analyse: Analyse) -> None:
    first = analysed(analyse, FRONT_END, "gemm_rows")
    again = analysed(analyse, FRONT_END, "gemm_rows")
    assert [f.line for f in first.findings] == [f.line for f in again.findings]


def test_the_first_finding_comes_with_the_first_lowering(analyse: Analyse) -> None:
    result = analysed(analyse, PASSES, "mixed_dtypes")
    kinds = [type(event).__name__ for event in result.events]
    # Facts of the failed lowering, then what failed; what else is lowered comes later.
    assert kinds.index("Failure") == kinds.index("RequestDone") - 2
    assert result.failures[0].line is not None


def test_a_fault_without_any_place_is_searched_and_refined(analyse: Analyse, monkeypatch: pytest.MonkeyPatch) -> None:
    lowerings = 0

    def counted(*arguments: object, **options: object) -> lowering.Lowered:
        nonlocal lowerings
        lowerings += 1
        return lowering.lower(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(locator, "lower", counted)
    path = KERNELS / "good_gemm.py"
    result = analyse(path, path.read_text(), target="ascend")
    first, second = result.failures
    assert (first.line, first.sure, first.refines) == (None, False, False)
    assert second.refines
    (finding,) = result.findings
    # The Ascend back end casts in no copy; without the copy the accumulator has no layout, hence "likely".
    assert (finding.line, finding.confidence) == (line_of(path, "T.copy(C_l, C["), "likely")
    assert 0 < lowerings <= LOWERINGS


def line_of(path: Path, piece: str) -> int:
    (found,) = [number for number, line in enumerate(path.read_text().split("\n"), 1) if piece in line]
    return found
