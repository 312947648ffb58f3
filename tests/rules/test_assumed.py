"""Findings that no value of an assumed argument takes away keep their severity; others are information."""

from __future__ import annotations

from pathlib import Path

import pytest

from .examples import analysed

pytest.importorskip("tilelang")
KERNEL = """\
import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def gemm(M, N, K, bM=128, bN=128, bK=64, stages=8, first=False):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bN), "float16")
            C_l = T.alloc_fragment((bM, bN), "float32")
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=stages):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bN], B_s)
                T.gemm(A_s, B_s, C_l, clear_accum=first)
            T.copy(C_l, C[by * bM, bx * bN])

    return main
"""
CLEARED = KERNEL.replace("clear_accum=first", "clear_accum=True")
UNCLEARED = KERNEL.replace(", stages=8", ", stages=2")


def told(text: str, code: str) -> tuple[str, bool]:
    """The severity of the one finding of a rule, and whether it says that the arguments do not matter."""
    found = [one for one in analysed(Path("kernel.py").absolute(), text).findings if one.code == code]
    (finding,) = found
    return finding.severity, "whatever M, N" in finding.message


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (CLEARED, "error"),
        (CLEARED.replace("M, N, K, bM=128", "M, N, K, bM"), "info"),  # a size of a shared buffer
        (CLEARED.replace("N, K,", "N, K, deep,").replace("=stages)", "=8 if deep else 7)"), "info"),
        (CLEARED.replace("num_stages=stages", "num_stages=8 if K > 64 else 1"), "info"),
        (CLEARED.replace("(bK, bN)", "(bK, width)").replace("    @T", "    width = min(bN, N)\n    @T"), "info"),
    ],
)
def test_too_much_shared_memory(text: str, severity: str) -> None:
    assert told(text, "TS201") == (severity, severity == "error")


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (UNCLEARED, "warning"),
        (UNCLEARED.replace("M, N, K, bM=128", "M, N, K, bM"), "warning"),  # sizes change nothing
        (UNCLEARED.replace("first=False", "first=None").replace("clear_accum=first", "clear_accum=K < 0"), "info"),
        (
            UNCLEARED.replace(
                "            for k", "            if N > 1 << 20:\n                T.clear(C_l)\n            for k"
            ),
            "info",
        ),
        (UNCLEARED.replace("            for k", "            every = [C_l]\n            for k"), "info"),
        (
            UNCLEARED.replace("                T.gemm", "                if K > 8:\n                    T.gemm"),
            "info",
        ),
    ],
)
def test_reads_of_what_nothing_wrote(text: str, severity: str) -> None:
    assert told(text, "TS310") == (severity, severity == "warning")
