"""Outline, definitions, references and colours, of buffers that the source alone tells of."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tilescope_server.features.semantic_tokens import MODIFIERS

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"semanticTokens": {"enabled": True}}

MACROS = """\
import tilelang
import tilelang.language as T

@T.macro
def scaled(dst, factor):
    for i in T.Parallel(128):
        dst[i] = dst[i] * factor

@T.macro
def twice(buffer):
    scaled(buffer, 2.0)
    scaled(factor=0.5, dst=buffer)

@tilelang.jit
def make(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
            é = T.alloc_fragment((128,), "float32")
            other = T.alloc_shared((128,), "float32")
            T.copy(A[bx * 128], é); T.copy(é, other)
            twice(é)
            scaled(other, 1.0)
            T.copy(é, A[bx * 128])
    return main
"""


def at(text: str, line: int, name: str, number: int = 0) -> types.Position:
    """The place, in UTF-16, of the ``number``-th appearance of a name on a 1-based line."""
    content = text.splitlines()[line - 1]
    column = -1
    for _ in range(number + 1):
        column = content.index(name, column + 1)
    return types.Position(line - 1, column)


def lines(found: Any) -> list[int]:
    return [(one.target_range if hasattr(one, "target_range") else one.range).start.line + 1 for one in found or ()]


async def definition(editor: Any, uri: str, place: types.Position) -> list[int]:
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), place)
    return lines(await editor.client.text_document_definition_async(params))


async def test_a_use_leads_to_its_allocation(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    assert await definition(editor, uri, at(gemm_text, 17, "A_shared")) == [10]
    assert await definition(editor, uri, at(gemm_text, 15, "A[")) == [8]
    assert await definition(editor, uri, at(gemm_text, 18, "C_local")) == [12]
    assert await definition(editor, uri, at(gemm_text, 17, "gemm")) == []


async def test_a_macros_buffer_leads_to_those_of_its_callers(editor, uri: str) -> None:
    editor.open(uri, MACROS)
    assert await definition(editor, uri, at(MACROS, 7, "dst", 1)) == [19, 20]
    assert await definition(editor, uri, at(MACROS, 11, "buffer")) == [19]
    assert await definition(editor, uri, at(MACROS, 7, "factor")) == []


async def test_all_names_of_a_buffer_are_found(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    asked = types.TextDocumentIdentifier(uri), at(gemm_text, 10, "A_shared")
    for whole, expected in ((True, [10, 15, 17]), (False, [15, 17])):
        params = types.ReferenceParams(types.ReferenceContext(whole), *asked)
        assert lines(await editor.client.text_document_references_async(params)) == expected
    marked = await editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(*asked))
    assert [(one.range.start.line + 1, one.kind) for one in marked] == [
        (10, types.DocumentHighlightKind.Write),
        (15, types.DocumentHighlightKind.Read),
        (17, types.DocumentHighlightKind.Read),
    ]


async def test_the_outline_has_kernels_and_their_buffers(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    (kernel,) = await editor.client.text_document_document_symbol_async(params)
    assert (kernel.name, kernel.kind) == ("matmul.main", types.SymbolKind.Function)
    assert (kernel.range.start.line, kernel.range.end.line, kernel.selection_range.start.character) == (7, 17, 8)
    assert [child.name for child in kernel.children] == ["A", "B", "C", "A_shared", "B_shared", "C_local"]
    assert kernel.children[3].detail == "[128,32] float16 shared.dyn · 8 KiB"
    broken = gemm_text.replace("T.clear(C_local)", "T.clear(C_local")
    editor.change(uri, broken)
    (kernel,) = await editor.client.text_document_document_symbol_async(params)
    assert "A_shared" in [child.name for child in kernel.children]


async def test_buffers_are_coloured_by_their_memory(editor, uri: str) -> None:
    editor.open(uri, MACROS)
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    tokens = await editor.client.text_document_semantic_tokens_full_async(params)
    found = decoded(list(tokens.data), MACROS)
    assert ("é", 19, {"fragment", "declaration"}) in found
    assert ("é", 24, {"fragment"}) in found
    assert ("other", 23, {"shared"}) in found
    assert ("A", 21, {"global"}) in found
    assert ("buffer", 11, {"fragment"}) in found
    assert ("dst", 7, set()) in found  # a fragment for one caller, shared memory for another
    assert not any(name == "factor" for name, _, _ in found)
    whole = types.Range(types.Position(18, 0), types.Position(19, 0))
    asked = types.SemanticTokensRangeParams(types.TextDocumentIdentifier(uri), whole)
    some = await editor.client.text_document_semantic_tokens_range_async(asked)
    part = decoded(list(some.data), MACROS)
    assert {line for _, line, _ in part} == {19, 20}


def decoded(data: list[int], text: str) -> list[tuple[str, int, set[str]]]:
    found = []
    line = column = 0
    for start in range(0, len(data), 5):
        down, right, length, kind, bits = data[start : start + 5]
        line, column = line + down, right if down else column + right
        assert kind == 0
        named = {name for number, name in enumerate(MODIFIERS) if bits >> number & 1}
        found.append((text.splitlines()[line][column : column + length], line + 1, named))
    return found


async def test_colours_are_off_unless_asked_for(connect, uri: str, gemm_text: str) -> None:
    client = await connect(options={})
    client.open(uri, gemm_text)
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    assert await client.client.text_document_semantic_tokens_full_async(params) is None


@pytest.mark.parametrize(
    "text", ["", "x = 1\n", "def f(:\n", "import tilelang\n@tilelang.jit\ndef f(", "\ufeff# é\r\n\f"]
)
async def test_a_text_without_buffers_has_nothing(editor, uri: str, text: str) -> None:
    editor.open(uri, text)
    here = types.TextDocumentIdentifier(uri)
    client = editor.client
    assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(here))
    assert await definition(editor, uri, types.Position(0, 0)) == []
    assert await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(here)) is None
    assert not await client.text_document_code_lens_async(types.CodeLensParams(here))
    highlight = types.DocumentHighlightParams(here, types.Position(9, 9))
    assert not await client.text_document_document_highlight_async(highlight)
