"""Who decided a layout: named by its operation and line, and proved by changing that operation and others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tilelang.tileop.gemm import Gemm

from .conftest import Decided

Of = Callable[..., Decided]
TWO = "decided_layouts.py", "two_products"
ATTENTION = {"batch": 1, "heads": 2, "seq_len": 512, "dim": 64}


@pytest.mark.parametrize(
    ("target", "instruction"),
    [("cuda:sm_80", "mma"), ("cuda:sm_90a", "wgmma"), ("hip:gfx942", "mfma")],
)
def test_a_gemm_decides_its_operands(decided: Of, target: str, instruction: str) -> None:
    found = decided("cases/00_good_gemm.py", "kernel", target)
    line = found.line("T.gemm")
    assert {name: by.line for name, by in found.by.items()} == {"A_s": line, "B_s": line, "C_l": line}
    assert found.reason("A_s") == f"T.gemm on line {line} reads it as operand A ({instruction})"
    assert found.reason("B_s") == f"T.gemm on line {line} reads it as operand B ({instruction})"
    assert found.reason("C_l") == f"T.gemm on line {line} accumulates into it as operand C ({instruction})"
    assert {by.pass_name for by in found.by.values()} == {"tl.LayoutInference"}


def test_an_ascend_gemm_decides_what_is_in_l1_and_the_allocation_its_accumulator(decided: Of) -> None:
    found = decided("ascend_dialect.py", "gemm", "ascend", M=256, N=256, K=256)
    gemm, accumulator = found.line("T.gemm"), found.line("T.alloc_l0c")
    assert found.reason("A_l1") == f"T.gemm on line {gemm} reads it as operand A (mad)"
    assert found.reason("B_l1") == f"T.gemm on line {gemm} reads it as operand B (mad)"
    assert found.by["C_l0"].line == accumulator
    assert {by.pass_name for by in found.by.values()} == {"tl.AscendLayoutInference"}


def test_every_buffer_of_attention_has_a_decision(decided: Of) -> None:
    found = decided("flash_attention.py", "attention", "cuda:sm_90a", **ATTENTION)
    lines = {
        "Q_shared": "T.gemm(Q_shared",
        "K_shared": "T.gemm(Q_shared",
        "acc_s": "T.gemm(Q_shared",
        "V_shared": "T.gemm(acc_s_cast",
        "acc_s_cast": "T.gemm(acc_s_cast",
        "acc_o": "T.gemm(acc_s_cast",
        "scores_max": "T.reduce_max",
        "scores_sum": "T.reduce_sum",
        "O_shared": "T.copy(O_shared",
    }
    assert {name: found.by[name].line for name in lines} == {n: found.line(piece) for n, piece in lines.items()}
    scaled = found.line("acc_o[i, j] *= scores_scale[i]") - 1
    assert found.by["scores_scale"].line == scaled
    assert found.reason("scores_scale").startswith(f"T.Parallel on line {scaled} lays it out to match acc_o")
    assert found.reason("scores_max_prev").startswith("T.Parallel on line 41 lays it out to match scores_scale")
    assert found.reason("O_shared").endswith("moves it, and no other operation asks for a layout")
    assert set(found.by) == set(found.layouts)


def test_a_fragment_follows_another_through_a_parallel_loop(decided: Of) -> None:
    found = decided(*TWO, "cuda:sm_80")
    gemm, loop = found.line("T.gemm(A_s, B_s, S"), found.line("P[i, j] =") - 1
    assert found.by["P"].line == loop
    assert found.reason("P") == f"T.Parallel on line {loop} lays it out to match S (from T.gemm on line {gemm})"
    assert found.layouts["P"] == found.layouts["S"]


def test_a_change_to_what_decided_changes_the_layout_and_a_change_to_others_does_not(decided: Of) -> None:
    before = decided(*TWO, "cuda:sm_80")
    after = decided(*TWO, "cuda:sm_80", {"S, policy=T.GemmWarpPolicy.FullRow": "S, policy=T.GemmWarpPolicy.FullCol"})
    moved = {name for name in before.layouts if before.layouts[name] != after.layouts[name]}
    said = {
        name for name, by in before.by.items() if by.line == before.line("T.gemm(A_s, B_s, S") or "S " in by.reason
    }
    assert moved == {"S", "P", "peak"}
    assert moved == said - {"A_s", "B_s"}  # how warps are arranged does not reach shared memory


def test_without_the_operation_that_decided_another_one_does(decided: Of) -> None:
    before = decided(*TWO, "cuda:sm_80")
    after = decided(*TWO, "cuda:sm_80", {"O[i, j] *= row[i]": "O[i, j] *= 2.0"})
    assert before.by["row"].line == before.line("O[i, j] *=") - 1
    assert after.by["row"].line == after.line("T.copy(R, row)")
    assert before.layouts["row"] != after.layouts["row"]
    assert {n: v for n, v in before.layouts.items() if n != "row"} == {
        n: v for n, v in after.layouts.items() if n != "row"
    }


def test_a_reduction_decides_its_result(decided: Of) -> None:
    found = decided(*TWO, "cuda:sm_80")
    line, gemm = found.line("T.reduce_max"), found.line("T.gemm(A_s, B_s, S")
    assert found.by["peak"].line == line
    assert found.reason("peak") == (
        f"T.reduce_max on line {line} reduces S (from T.gemm on line {gemm}) along dimension 1"
    )


def test_what_is_chosen_freely_says_so_and_for_which_operations(decided: Of) -> None:
    found = decided(*TWO, "cuda:sm_90a")
    first, last = found.line("T.copy(C, alone)"), found.line("T.copy(alone, C)")
    assert found.reason("alone") == (
        "no operation demands a layout for it; the cheapest that suits "
        f"T.copy on line {first} and T.copy on line {last}, most likely that of T.copy on line {first}"
    )


def test_explicit_layouts_name_their_annotation(decided: Of) -> None:
    found = decided("decided_layouts.py", "explicit", "cuda:sm_90a")
    shared, rows = found.line("T.annotate_layout({shared"), found.line("T.annotate_layout({rows")
    assert found.reason("shared") == f"T.annotate_layout on line {shared} asks for it"
    assert found.reason("rows") == f"T.annotate_layout on line {rows} asks for it"
    assert found.reason("doubled").endswith("lays it out to match rows (as annotated)")
    without = decided(
        "decided_layouts.py",
        "explicit",
        "cuda:sm_90a",
        {"T.annotate_layout({rows: Fragment((M, N), forward_fn=lambda i, j: (i, j))})": "pass"},
    )
    assert without.layouts["rows"] != found.layouts["rows"]
    assert without.reason("rows").startswith("no operation demands a layout")


def test_fragments_that_every_thread_holds(decided: Of) -> None:
    found = decided("decided_layouts.py", "replicated", "cuda:sm_90a")
    condition, assignment = found.line("if flag[k]"), found.line("scale[0] = 2.0")
    assert found.reason("flag") == (
        f"it is used outside of tile operations, on line {condition}, so every thread holds all of it"
    )
    assert found.by["scale"].line == assignment
    assert found.reason("scale").startswith(f"the assignment on line {assignment} uses nothing of it but element 0")


def test_of_two_swizzles_that_of_the_operation_whose_layout_came_out(decided: Of) -> None:
    found = decided("decided_layouts.py", "narrower", "cuda:sm_90a")
    wide, narrow = found.line("T.gemm(A_s, B_s, S)"), found.line("T.gemm(A_s[:, 0:32]")
    assert found.by["A_s"].line == narrow
    alone = decided(
        "decided_layouts.py", "narrower", "cuda:sm_90a", {"T.gemm(A_s[:, 0:32], B_s[0:32, :], S)": "pass"}
    )
    assert alone.by["A_s"].line == wide
    assert alone.layouts["A_s"] != found.layouts["A_s"]


def test_shared_memory_that_nothing_lays_out_is_row_major(decided: Of) -> None:
    found = decided("flash_attention.py", "attention", "cuda:sm_80", **ATTENTION)
    assert found.by["O_shared"].line is None
    assert found.reason("O_shared") == "no operation asks for another layout than row-major"


def test_tilelang_is_left_as_it_was(decided: Of) -> None:
    infer_layout = Gemm.infer_layout
    decided("cases/00_good_gemm.py", "kernel", "cuda:sm_90a", bM=128)
    decided("cases/03_layout_conflict_cast.py", "kernel", "cuda:sm_90a")
    assert Gemm.infer_layout is infer_layout
