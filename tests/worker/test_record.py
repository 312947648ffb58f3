"""A recording holds every pass with its nesting, its text before and after, and where the lines came from."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import wait
from typing import Any

import pytest

from tilescope_worker import attempts, texts
from tilescope_worker.observe import Snapshot
from tilescope_worker.wire.messages import Generated, PassBegan, PassEnded, PassText

from .conftest import KERNELS, Answers, Run


def test_passes_are_numbered_in_order_of_their_start(recorded_gemm: Answers) -> None:
    assert [run.index for run in recorded_gemm.passes] == list(range(len(recorded_gemm.passes)))
    assert {"tl.LayoutInference", "tl.LowerTileOp", "tl.SplitHostDevice"} <= {
        run.name for run in recorded_gemm.passes
    }
    assert all(run.status == "ok" and run.duration_ms >= 0 for run in recorded_gemm.passes)


def test_nested_passes_name_their_parent(recorded_gemm: Answers) -> None:
    passes = recorded_gemm.passes
    nested = [run for run in passes if run.depth]
    assert nested
    for run in nested:
        assert run.parent is not None
        parent = passes[run.parent]
        assert parent.depth == run.depth - 1
        assert parent.index < run.index
        assert parent.duration_ms >= run.duration_ms
    assert all(run.parent is None for run in passes if not run.depth)


def test_changed_is_told_against_the_own_input(recorded_gemm: Answers) -> None:
    changed = {run.name: run.changed for run in recorded_gemm.passes}
    assert not changed["tl.VerifyBufferInit"]
    assert changed["tl.LowerTileOp"]
    for run in recorded_gemm.passes:
        assert run.changed or run.before == run.after


def test_pass_that_works_in_place_is_seen(recorded_gemm: Answers) -> None:
    split = {run.name: run for run in recorded_gemm.passes}["tl.SplitHostDevice"]
    before, after = (recorded_gemm.texts[text or ""].text for text in (split.before, split.after))
    assert split.changed
    assert ("def main_kernel(" in before, "def main_kernel(" in after) == (False, True)


def test_every_text_comes_once_and_before_the_pass_that_names_it(recorded_gemm: Answers) -> None:
    known: set[str] = set()
    for event in recorded_gemm.events:
        if isinstance(event, PassText):
            assert event.hash not in known
            known.add(event.hash)
        elif isinstance(event, PassEnded):
            assert {event.before, event.after} <= known
    named = {text for run in recorded_gemm.passes for text in (run.before, run.after)}
    assert named == known
    assert len(known) <= sum(run.changed for run in recorded_gemm.passes) + 3


def test_host_and_device_are_told_apart(recorded_gemm: Answers) -> None:
    kinds = [run.module for run in recorded_gemm.passes]
    assert kinds[0] == "both"
    assert kinds[-1] == "device"
    assert Counter(kinds)["host"] == 1


def test_lines_lead_to_the_python_source(recorded_gemm: Answers) -> None:
    final = {run.name: run for run in recorded_gemm.passes}["tl.LayoutInference"]
    text = recorded_gemm.texts[final.after or ""]
    printed = text.text.split("\n")
    copied, fill = recorded_gemm.line("T.copy(A["), recorded_gemm.line("T.clear(")
    at = {line: [printed[n - 1] for n, file, m in text.lines if m == line] for line in (copied, fill)}
    assert text.files[0] == recorded_gemm.path
    assert any("A_shared" in line for line in at[copied])
    assert any("fill" in line or "C_local" in line for line in at[fill])


def test_no_mark_is_left_in_any_text(recorded_gemm: Answers) -> None:
    for text in recorded_gemm.texts.values():
        assert "\x01" not in text.text
        lines = text.text.count("\n") + 1
        assert all(1 <= n <= lines and file < len(text.files) for n, file, _ in text.lines)
        assert list(text.lines) == sorted(text.lines, key=lambda line: line[0])


def test_generated_source(recorded_gemm: Answers) -> None:
    (generated,) = recorded_gemm.of(Generated)
    assert generated.language == "cuda"
    assert "wgmma" in generated.text


def test_times(recorded_gemm: Answers) -> None:
    done = recorded_gemm.done
    assert 0 < done.lower_ms < done.record_ms
    assert max(run.duration_ms for run in recorded_gemm.passes) <= done.lower_ms


def test_facts_are_those_of_a_plain_analysis(kernel_file: Run, recorded_gemm: Answers) -> None:
    plain = kernel_file("staged_gemm.py", "matmul.main")
    assert plain.kernel == recorded_gemm.kernel
    assert not plain.passes


@pytest.fixture(scope="module")
def both_modes(kernel_file: Run) -> tuple[Answers, Answers]:
    file, name, arguments = "kernel_forms.py", "add_lazy.main", {"N": "1024", "record": True}
    return kernel_file(file, name, **arguments), kernel_file(file, name, synchronous=True, **arguments)


def test_synchronous_mode_records_the_same(both_modes: tuple[Answers, Answers]) -> None:
    fast, synchronous = ([(r.index, r.name, r.before, r.after, r.changed) for r in a.passes] for a in both_modes)
    assert sorted(synchronous) == fast


def test_synchronous_mode_tells_each_pass_before_it_runs(both_modes: tuple[Answers, Answers]) -> None:
    open_passes: set[int] = set()
    for event in both_modes[1].events:
        if isinstance(event, PassBegan):
            assert event.parent is None or event.parent in open_passes
            open_passes.add(event.index)
        elif isinstance(event, PassEnded):
            open_passes.remove(event.index)
    assert not open_passes


@pytest.mark.parametrize("synchronous", [False, True])
def test_failing_pass_is_the_last_of_its_recording(kernel_file: Run, synchronous: bool) -> None:
    answers = kernel_file("cases/16_threads_not_multiple.py", "kernel.main", record=True, synchronous=synchronous)
    last = max(answers.passes, key=lambda run: run.index)
    assert (last.name, last.status, last.after) == ("tl.LayoutInference", "failed", None)
    assert last.before in answers.texts
    assert all(run.status == "ok" for run in answers.passes if run is not last)
    assert not answers.of(Generated)


@pytest.mark.parametrize(
    ("name", "arguments", "piece"),
    [
        ("vadd.main", {"N": "4096"}, "Add"),
        ("gemm.main", {"M": "256", "N": "256", "K": "256"}, "gemm"),
    ],
)
def test_ascend_runs_through_its_whole_pipeline(
    kernel_file: Run, name: str, arguments: dict[str, str], piece: str
) -> None:
    answers = kernel_file("ascend_dialect.py", name, target="ascend", record=True, **arguments)
    (generated,) = answers.of(Generated)
    assert generated.language == "ascend-c"
    assert piece.lower() in generated.text.lower()
    assert "layouts" in answers.stages
    assert "tl.AscendLayoutInference" in {run.name for run in answers.passes}


def test_ampere(kernel_file: Run) -> None:
    answers = kernel_file("staged_gemm.py", "matmul.main", target="cuda:sm_80", num_stages="2", record=True)
    (generated,) = answers.of(Generated)
    assert "cp_async" in generated.text
    assert len(answers.passes) > 50


def test_every_event_survives_the_wire(recorded_gemm: Answers) -> None:
    from tilescope_worker.wire.codec import HEADER, decode, encode

    for event in recorded_gemm.events:
        assert decode(encode(event)[HEADER.size :]) == event
    assert json.dumps(recorded_gemm.kernel.specialization.pass_configs)
    assert KERNELS.is_dir()


def test_lines_do_not_depend_on_how_far_behind_the_printing_is(
    kernel_file: Run, recorded_gemm: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines are still repaired while modules are printed: each text has those that its statements have in the end."""
    over = threading.Event()

    def submit_and_wait(printer: texts.Printer, snapshot: Snapshot) -> None:
        submit(printer, snapshot)
        wait(printer._scripts.values())

    def print_when_over(*args: Any) -> Any:
        assert over.wait(timeout=60)
        return script_of(*args)

    def lower_to_the_end(*args: Any, **options: Any) -> Any:
        try:
            return lower(*args, **options)
        finally:
            over.set()

    submit, script_of, lower = texts.Printer.submit, texts.script_of, attempts.lower
    with monkeypatch.context() as patched:
        patched.setattr(texts.Printer, "submit", submit_and_wait)
        at_once = kernel_file("staged_gemm.py", "matmul.main", record=True)
    with monkeypatch.context() as patched:
        patched.setattr(texts, "script_of", print_when_over)
        patched.setattr(attempts, "lower", lower_to_the_end)
        late = kernel_file("staged_gemm.py", "matmul.main", record=True)
    assert at_once.texts == late.texts == recorded_gemm.texts
