"""What clients get that are not all alike: some cannot be asked to fetch hints again, some fetch diagnostics."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from lsprotocol import types

from .conftest import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_helix_asks_once_and_sees_the_compiled_hints_of_its_newest_text(
    connect: Callable[..., Awaitable[Editor]], uri: str, gemm_text: str
) -> None:
    editor = await connect("helix", {"trusted": True}, name="helix")
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    editor.change(uri, gemm_text.replace("stages=3", "stages=2"))
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared ×2 ⟨swz64⟩ 16 KiB"
    assert editor.refreshes == 0
    editor.change(uri, gemm_text.replace("            T.clear(C_local)\n", ""))
    await editor.complete(uri)
    assert [one.code for one in editor.diagnostics(uri)] == ["TS310"]


async def test_kate_gets_hints_of_a_text_that_is_not_compiled_at_once(
    connect: Callable[..., Awaitable[Editor]], uri: str, gemm_text: str
) -> None:
    editor = await connect("kate", {"trusted": False})
    editor.open(uri, gemm_text)
    assert (await editor.labels(uri))[10].startswith(": [128,32] f16 shared")
    editor.change(uri, gemm_text + "\nbroken = (")
    assert await editor.hints(uri)
    assert {one.code for one in editor.diagnostics(uri)} == {"TS001"}
    symbols = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("C_local"))
    assert [one.name for one in symbols or ()] == ["C_local"]


@pytest.mark.parametrize("profile", ["zed", "sublime"])
async def test_clients_that_were_not_at_hand_get_all_that_they_can_show(
    connect: Callable[..., Awaitable[Editor]], uri: str, gemm_text: str, profile: str
) -> None:
    editor = await connect(profile, {"trusted": True})
    editor.open(uri, gemm_text)
    assert await editor.hints(uri)
    await editor.complete(uri)
    assert editor.refreshes > 0
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    assert "swizzle" in await editor.hover(uri, 10, 13)
    editor.change(uri, gemm_text.replace("            T.clear(C_local)\n", ""))
    await editor.complete(uri)
    await editor.fetch(uri)
    assert [one.code for one in editor.diagnostics(uri)] == ["TS310"]
    lenses = await editor.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(uri))
    )
    assert [one.command.title for one in lenses or () if one.command is not None]
