"""Hovers over compiled kernels: pictures, conflicts, what was lowered to what and why not better, ranges, macros."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tilescope_server.bindings import bindings_of
from tilescope_server.explain.loops import header_of

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}

KERNELS = """\
import tilelang
import tilelang.language as T


@T.macro
def doubled(tile, factor):
    for r, c in T.Parallel(32, 32):
        tile[r, c] = tile[r, c] * factor


@tilelang.jit
def transpose(N=256, tile=32):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(N // tile, N // tile, threads=128) as (bx, by):
            S = T.alloc_shared((tile, tile), "float32")
            for i, j in T.Parallel(tile, tile):
                S[i, j] = A[by * tile + i, bx * tile + j]
            doubled(S, 2.0)
            for i, j in T.Parallel(tile, tile):
                B[bx * tile + i, by * tile + j] = S[j, i]

    return main


@tilelang.jit
def few_rows(M=32, N=64, K=128):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, 64), "float16")
            B_s = T.alloc_shared((64, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 64, num_stages=2):
                T.copy(A[0, k * 64], A_s)
                T.copy(B[k * 64, 0], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C)

    return main
"""


async def hover(editor: Any, uri: str, around: str, name: str) -> str:
    """The markdown over a name in the first piece of text ``around`` it."""
    await editor.complete(uri)
    before = KERNELS[: KERNELS.index(around) + around.index(name)]
    return str(await editor.hover(uri, before.count("\n"), len(before) - before.rfind("\n") - 1))


@pytest.fixture(scope="module")
def uri(editor: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    uri = (tmp_path_factory.mktemp("hover") / "kernels.py").as_uri()
    editor.open(uri, KERNELS)
    return uri


async def test_a_buffer_with_its_conflicts_and_the_picture_of_its_layout(editor, uri: str) -> None:
    conflicting = await hover(editor, uri, "= S[j, i]", "S")
    assert "in line 21: 32-way bank conflicts" in conflicting
    assert "would free it" in conflicting
    fragment = await hover(editor, uri, "B_s, C_l)", "C_l")
    assert "because T.gemm on line 38" in fragment
    picture = fragment.partition("```text\n")[2].partition("```")[0].splitlines()
    assert "the thread that holds each element" in picture[1]
    assert max(map(len, picture[2:])) <= 76
    swizzled = await hover(editor, uri, "A_s = T.alloc", "A_s")
    assert "swizzle: 128B" in swizzled
    assert "no bank conflicts" in swizzled


async def test_an_operation_and_why_nothing_better_came_of_it(editor, uri: str) -> None:
    text = await hover(editor, uri, "T.gemm(A_s", "T.gemm")
    assert text.startswith("**gemm** → `ldmatrix`, `mma`")
    assert "not better: " in text
    assert "(TS405)" in text
    assert "→ `tma_load`" in await hover(editor, uri, "T.copy(A[0", "T.copy")


async def test_a_launch_with_occupancy_and_what_limits_it(editor, uri: str) -> None:
    text = await hover(editor, uri, "T.Kernel(N", "T.Kernel")
    assert "grid: 8 × 8 blocks" in text
    assert "occupancy: at most" in text
    assert "limited by" in text


async def test_loop_variables_have_ranges(editor, uri: str) -> None:
    assert await hover(editor, uri, "bx * tile + j]", "bx") == "**`bx`** 0 … 7 · 8 blocks by `T.Kernel`"
    assert (await hover(editor, uri, "k * 64], A_s", "k")).startswith("**`k`** 0 … 1 · 2 iterations by `T.Pipelined`")
    parallel = await hover(editor, uri, "S[j, i]", "j")
    assert parallel.startswith("**`j`** 0 … 31 · 32 iterations by `T.Parallel`")
    assert "- 1 element (4 B) at a time" in parallel
    assert (await hover(editor, uri, "tile[r, c] =", "c")).startswith("**`c`** 0 … 31")


async def test_parameters_have_values(editor, uri: str) -> None:
    assert "**`tile`** = `32` (default" in await hover(editor, uri, "tile=32", "tile")
    assert "**`K`** = `128` (default" in await hover(editor, uri, "K // 64", "K")


async def test_a_macro_call_tells_what_it_became(editor, uri: str) -> None:
    text = await hover(editor, uri, "doubled(S", "doubled")
    assert text.startswith("**`doubled`** of line 6 · `tile` ← `S`")
    assert "line 7: parallel" in text
    assert "**`S`**" in await hover(editor, uri, "tile[r, c] =", "tile")


async def test_an_editor_that_shows_images_gets_one(connect, tmp_path: Any) -> None:
    code = await connect(options=OPTIONS, name="Visual Studio Code")
    uri = (tmp_path / "kernels.py").as_uri()
    code.open(uri, KERNELS)
    text = await hover(code, uri, "B_s, C_l)", "C_l")
    data = text.partition("(data:image/svg+xml;base64,")[2].partition(")")[0]
    assert base64.b64decode(data).startswith(b"<svg")
    assert "```text" not in text


async def test_nothing_is_told_of_names_that_mean_nothing_here(editor, uri: str) -> None:
    assert await hover(editor, uri, "import tilelang", "tilelang") == ""
    assert await hover(editor, uri, "* factor", "factor") == ""
    editor.change(uri, KERNELS.replace("T.clear(C_l)", "T.clear(C_l"))
    assert "**`C_l`**" in await hover(editor, uri, "B_s, C_l)", "C_l")


@pytest.mark.parametrize(
    ("text", "line", "column", "header"),
    [
        ("for i, (j, k) in f():\n    k", 2, 5, (1, "f", 2, False)),
        ("with T.Kernel(4) as bx:\n    x = bx", 2, 9, (1, "T.Kernel", 0, True)),
        ("k = 1\nk", 2, 1, None),
    ],
)
async def test_loops_are_told_from_other_bindings(
    text: str, line: int, column: int, header: tuple[int, str, int, bool] | None
) -> None:
    found = bindings_of(text).at(line, column)
    assert found is not None
    bound = found[1].bound_before(line)
    assert bound is not None
    known = header_of(text, bound)
    assert (known and (known.line, known.call, known.position, known.blocks)) == header
