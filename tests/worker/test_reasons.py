"""What is said of a layout agrees with what its operations were lowered to."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run

COPIES = """import tilelang
import tilelang.language as T

@tilelang.jit
def copy(N=1024):
    @T.prim_func
    def main(A: T.Tensor((1024, N), "float16"), B: T.Tensor((1024, 1024), "float16")):
        with T.Kernel(8, 8, threads=128) as (bx, by):
            s = T.alloc_shared((128, 128), "float16")
            T.copy(A[by * 128, bx * 128], s)
            T.copy(s, B[by * 128, bx * 128])

    return main
"""


def test_only_copies_that_were_lowered_to_tma_are_said_to_go_by_tma(run: Run, tmp_path: Path) -> None:
    kernel = run(tmp_path / "user.py", COPIES, "copy.main", target="cuda:sm_90a").kernel
    lowered = {one.line: one.lowered_to for one in kernel.operations if one.kind == "copy"}
    assert (lowered[10], lowered[11]) == (("vector_ld", "vector_st"), ("tma_store",))
    (layout,) = [buffer.layout for buffer in kernel.buffers if buffer.name == "s"]
    assert layout is not None
    assert layout.decided_by is not None
    assert layout.decided_by.line == 11
    assert layout.decided_by.reason == "T.copy on line 11 moves it by TMA, and no other operation asks for a layout"
