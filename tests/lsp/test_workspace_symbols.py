"""Kernels and buffers of a workspace by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types

from tilescope_server.symbols import Symbol, matching

from .conftest import Editor

NESTED = """import tilelang
import tilelang.language as T


@tilelang.jit
def scale(N=256, block=128):
    @T.prim_func
    def apply(X: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
            "é漢😀"; lane_tile = T.alloc_fragment((block,), "float32")
            T.copy(X[bx * block], lane_tile)

    return apply
"""


def _named(name: str, kind: str = "kernel", inside: str = "") -> Symbol:
    return Symbol(name, kind, inside, "file:///a.py", 1, 1, 2, "x")  # type: ignore[arg-type]


def test_names_that_begin_with_the_query_come_first() -> None:
    symbols = [
        _named("C_shared", "buffer", "gemm"),
        _named("shape"),
        _named("s_h", "buffer", "gemm"),
        _named("other"),
    ]
    assert [one.name for one in matching(symbols, "SH")] == ["shape", "C_shared", "s_h"]
    assert [one.name for one in matching(symbols, "gemm.cs")] == ["C_shared"]
    assert len(matching(symbols, "")) == 4
    assert matching(symbols, "zz") == []


@pytest.mark.asyncio(loop_scope="module")
async def test_symbols_of_open_documents_and_of_files_that_are_not_open(
    connect: Callable[..., Awaitable[Editor]], tmp_path: Path, gemm_text: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "kernels").mkdir()
    closed, opened = tmp_path / "kernels" / "scale.py", tmp_path / "gemm.py"
    closed.write_text(NESTED, encoding="utf-8")
    opened.write_text(gemm_text, encoding="utf-8")
    editor = await connect("vscode", None, tmp_path.as_uri())
    editor.open(opened.as_uri(), gemm_text.replace("A_shared", "A_tile"))

    async def found(query: str) -> list[types.SymbolInformation]:
        answer = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
        return [one for one in answer or () if isinstance(one, types.SymbolInformation)]

    kernels = [one for one in await found("") if one.kind is types.SymbolKind.Function]
    assert {one.name for one in kernels} == {"matmul.main", "scale.apply"}
    tiles = {one.name: one for one in await found("tile")}
    assert set(tiles) == {"A_tile", "lane_tile"}  # the editor's text counts, not the file's
    place = tiles["lane_tile"]
    assert (place.container_name, place.location.uri) == ("scale.apply", closed.as_uri())
    line = NESTED.splitlines()[place.location.range.start.line]
    units = line.encode("utf-16-le")
    start, end = place.location.range.start.character, place.location.range.end.character
    assert units[2 * start : 2 * end].decode("utf-16-le") == "lane_tile"

    closed.write_text(NESTED.replace("lane_tile", "lane_part"), encoding="utf-8")
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(closed.as_uri(), types.FileChangeType.Changed)])
    )
    await editor.until(lambda: found("lane_part"), 20)
    assert [one.name for one in await found("lane_tile")] == []
