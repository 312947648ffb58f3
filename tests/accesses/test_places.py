"""Where accesses stand in the text, and the calls that lead to those of macros."""

from __future__ import annotations

from pathlib import Path

from tests.located.conftest import analyse_text

TEXT = """\
import tilelang
import tilelang.language as T

@T.macro
def doubled(tile, out):
    for i in T.Parallel(64):
        out[i] = tile[i] + tile[i]

@tilelang.jit
def kernel(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // 64, threads=64) as bx:
            tile = T.alloc_shared((64,), "float32")
            out = T.alloc_shared((64,), "float32")
            T.copy(A[bx * 64], tile)
            doubled(tile, out)
            for i in T.Parallel(64):
                out[i] += tile[63 - i] * tile[i]
            T.copy(out, C[bx * 64])
    return main
"""


def test_places() -> None:
    result = analyse_text(Path("/nowhere/places.py"), TEXT, target="cuda:sm_90a")
    assert result.kernel.status == "ok"
    lines = TEXT.split("\n")
    found = {}
    for access in result.kernel.accesses:
        assert access.line is not None
        assert access.column is not None
        assert access.end_column is not None
        text = lines[access.line - 1][access.column - 1 : access.end_column - 1]
        found.setdefault((access.line, access.buffer, access.mode), []).append(text)
        assert access.called_from == ((17,) if access.line == 7 else ())
    assert found == {
        (16, "A", "read"): ["A[bx * 64]"],
        (16, "tile", "write"): ["tile"],
        (7, "tile", "read"): ["tile[i]", "tile[i]"],
        (7, "out", "write"): ["out[i]"],
        (19, "out", "read"): ["out[i]"],
        (19, "tile", "read"): ["tile[63 - i]", "tile[i]"],
        (19, "out", "write"): ["out[i]"],
        (20, "out", "read"): ["out"],
        (20, "C", "write"): ["C[bx * 64]"],
    }
    assert [access.operation for access in result.kernel.accesses if access.line == 16] == ["copy", "copy"]
    assert result.findings == []
