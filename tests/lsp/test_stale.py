"""What is shown between an edit and the compiler's answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tilescope_server.analysis import Analysis
from tilescope_server.hints import hints_of
from tilescope_server.sites import sites_of
from tilescope_trace.model import FileFacts, Finding, Kernel, Snapshot
from tilescope_trace.text_lines import lines_of

Facts = Callable[..., FileFacts]
Shot = Callable[[str, int], Snapshot]


def shown(analysis: Analysis) -> dict[int, str]:
    """Labels by line."""
    return {hint.line: hint.label.text for hint in hints_of(sites_of(analysis), lines_of(analysis.snapshot.text))}


@pytest.fixture
def compiled(snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str) -> Analysis:
    return Analysis(snapshot(gemm_text, 1)).informed(facts(compiled_kernel))


def test_compiled_hints(compiled: Analysis) -> None:
    assert shown(compiled) == {
        9: "grid 8×8 · 128→256 threads · 48 KiB",
        10: ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB",
        12: ": [128,128] f32 fragment 128 regs/thread",
        14: "3 stages, async",
        15: "→ TMA load",
        17: "→ wgmma",
    }


def test_while_the_compiler_works_old_facts_that_still_fit_stay_marked(
    compiled: Analysis, snapshot: Shot, facts: Facts, static_kernel: Kernel, gemm_text: str
) -> None:
    """The edit makes A_shared larger: its old layout is gone at once, C_local's stays, marked."""
    text = gemm_text.replace("bK=32", "bK=64")
    a, c = static_kernel.buffers
    newer = replace(static_kernel, buffers=(replace(a, shape=(128, 64)), c))
    analysis = compiled.edited(snapshot(text, 2)).informed(facts(newer, complete=False))
    hints = shown(analysis)
    assert hints[10] == ": [128,64] f16 shared"
    assert hints[12] == ": [128,128] f32 fragment 128 regs ~"
    assert hints[14] == "3 stages, async ~"
    assert hints[15] == "→ TMA load ~"


def test_stale_facts_say_which_version_they_are_of(
    compiled: Analysis, snapshot: Shot, facts: Facts, static_kernel: Kernel, gemm_text: str
) -> None:
    analysis = compiled.edited(snapshot("# new line\n" + gemm_text, 2))
    moved = replace(static_kernel, line=9)
    variants = [site.variants[0] for site in sites_of(analysis.informed(facts(moved, complete=False)))]
    assert {(variant.stale, variant.version) for variant in variants} <= {(True, 1), (False, 2)}


def test_the_compilers_answer_ends_stale_facts(
    compiled: Analysis, snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str
) -> None:
    newer = replace(compiled_kernel, operations=compiled_kernel.operations[:1])
    analysis = compiled.edited(snapshot(gemm_text + "\n", 2)).informed(facts(newer))
    assert not any("~" in label for label in shown(analysis).values())
    assert 15 not in shown(analysis)


def test_a_kernel_that_does_not_compile_keeps_what_held_when_it_did(
    compiled: Analysis, snapshot: Shot, facts: Facts, static_kernel: Kernel, compiled_kernel: Kernel, gemm_text: str
) -> None:
    """Through several texts that the compiler refuses; another kernel of the file compiles meanwhile."""
    other = replace(compiled_kernel, name="other", qualname="other", line=40, buffers=(), operations=(), launch=None)
    analysis = compiled
    for version in (2, 3):
        failed = replace(static_kernel, line=8 + version - 1, status="failed")
        text = "#\n" * (version - 1) + gemm_text
        analysis = analysis.edited(snapshot(text, version))
        at = [replace(one, line=(one.line or 0) + version - 1) for one in static_kernel.operations]
        analysis = analysis.informed(facts(replace(failed, operations=tuple(at)), replace(other, line=40 + version)))
        assert shown(analysis)[17 + version - 1] == "→ wgmma ~"
    stale = [one for site in sites_of(analysis) for one in site.variants if one.stale]
    assert {one.version for one in stale} == {1}
    assert analysis.answered


def test_broken_text_keeps_what_the_edit_did_not_touch(
    compiled: Analysis, snapshot: Shot, facts: Facts, gemm_text: str, syntax_error: Finding
) -> None:
    text = gemm_text.replace("T.copy(A[by * bM, k * bK], A_shared)", "T.copy(A[by * bM,")
    analysis = compiled.edited(snapshot(text, 2)).informed(facts(findings=(syntax_error,)))
    hints = shown(analysis)
    assert 15 not in hints
    assert hints[10] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24K ~"
    assert hints[17] == "→ wgmma ~"


def test_facts_survive_several_broken_versions_and_move_with_their_lines(
    compiled: Analysis, snapshot: Shot, facts: Facts, gemm_text: str, syntax_error: Finding
) -> None:
    analysis = compiled
    broken = gemm_text + "x = ("
    for version, text in ((2, broken), (3, "#\n" + broken), (4, "#\n#\n" + broken)):
        analysis = analysis.edited(snapshot(text, version)).informed(facts(findings=(syntax_error,)))
    assert shown(analysis)[2 + 17] == "→ wgmma ~"


def test_compile_errors_stay_while_the_compiler_works_and_go_with_its_answer(
    snapshot: Shot, facts: Facts, static_kernel: Kernel, gemm_text: str
) -> None:
    error = Finding("TS102", "error", "/w/gemm.py", 17, 17, 17, 52, "shapes differ")
    failed = replace(static_kernel, stage="layouts", status="failed", findings=(error,))
    first = Analysis(snapshot(gemm_text, 1)).informed(facts(failed))
    waiting = first.edited(snapshot("#\n" + gemm_text, 2)).informed(facts(static_kernel, complete=False))
    assert [(item.code, item.line) for item in waiting.findings()] == [("TS102", 18)]
    assert waiting.informed(facts(static_kernel)).findings() == ()
