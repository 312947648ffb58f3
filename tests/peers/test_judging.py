"""The comparison with peers: what they printed, kept here, read and judged."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from peers.cases import Case, every, faults  # noqa: E402
from peers.compiler_text import said_in  # noqa: E402
from peers.findings import own_failures  # noqa: E402
from peers.judge import Said, judge  # noqa: E402
from peers.page import cell  # noqa: E402
from peers.tools import tile_lsp  # noqa: E402

KEPT = ROOT / "tests" / "data" / "peers"
CASES = {f"{case.path.stem}.{case.target}": case for case in every() if case.group != "correct"}


def printed(name: str, case: Case) -> str:
    return (KEPT / f"{name}-{case.path.stem}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("case", "failed", "verdict", "line"),
    [
        ("01_gemm_k_mismatch.sm_80", True, "exact", 28),  # the innermost frame in the kernel's file
        ("03_layout_conflict_cast.sm_80", True, "no line", None),
        ("11_lost_reduction.sm_80", False, "exact", 23),  # a warning of the race check
        ("15_missing_clear.sm_80", False, "exact", 27),  # a warning that is on by default
        ("30_copy_region_mismatch.sm_80", True, "related", 22),  # the message points at the allocation
    ],
)
def test_what_tilelang_prints(case: str, failed: bool, verdict: str, line: int | None) -> None:
    known = CASES[case]
    judged = judge(known, said_in(printed("tilelang-0.1.15", known), known.path, failed=failed))
    assert (judged.verdict, judged.line, judged.alarms) == (verdict, line, ())


def test_a_line_that_has_no_part_in_the_fault_is_wrong() -> None:
    known = replace(CASES["01_gemm_k_mismatch.sm_80"], line=29, also=())
    judged = judge(known, said_in(printed("tilelang-0.1.15", known), known.path, failed=True))
    assert (judged.verdict, judged.line) == ("wrong line", 28)
    assert cell(judged) == "wrong line (28)"


def test_a_warning_of_another_kind_is_no_finding() -> None:
    known = replace(CASES["15_missing_clear.sm_80"], kind="parallel-race")
    judged = judge(known, said_in(printed("tilelang-0.1.15", known), known.path, failed=False))
    assert judged.verdict == "nothing"
    assert [alarm.line for alarm in judged.alarms] == [27]


@pytest.mark.parametrize(
    ("file", "verdict", "alarms", "remarks"),
    [
        ("01_gemm_k_mismatch.py", "nothing", [], []),
        ("15_missing_clear.py", "exact", [], []),
        ("alloc_buffer.py", "exact", [], []),
        ("eager.py", "nothing", [14], []),
        ("gemm_first_clears.py", "nothing", [], [20]),
    ],
)
def test_what_tile_lsp_publishes(file: str, verdict: str, alarms: list[int], remarks: list[int]) -> None:
    published = json.loads((KEPT / "tile-lsp-1.4.0.json").read_text(encoding="utf-8"))[file]
    (case,) = [case for case in CASES.values() if case.path.name == file]
    judged = judge(case, [tile_lsp.said(one) for one in published])
    assert judged.verdict == verdict
    assert [one.line for one in judged.alarms] == alarms
    assert [one.line for one in judged.remarks] == remarks


def test_a_tool_that_breaks_what_compiles_has_found_nothing() -> None:
    case = next(case for case in faults() if case.kind == "smem-limit")
    broken = [Said(None, "error", "failure", "AttributeError: 'CodegenEvent' object has no attribute 'role'")]
    assert judge(case, broken).verdict == "no line"
    judged = judge(case, own_failures(broken, alone=[]))
    assert (judged.verdict, len(judged.alarms)) == ("nothing", 1)


def test_arguments_of_the_gallery_are_those_of_its_directives() -> None:
    gemm = next(case for case in every() if case.kernel == "gemm_relu")
    assert gemm.args == {"M": 4096, "N": 4096, "K": 4096}
    assert gemm.line is None
