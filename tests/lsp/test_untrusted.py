"""A session over stdio that may not execute anything: static facts, from the first moment."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = None

STATIC = {
    8: "[1024,1024] f16",
    9: "grid 8×8 · 128 threads",
    10: ": [128,32] f16 shared 8 KiB",
    11: ": [32,128] f16 shared 8 KiB",
    12: ": [128,128] f32 fragment",
    14: "3 stages",
}


async def test_static_hints_are_there_at_once(editor, neovim, uri: str, gemm_text: str) -> None:
    for client in (editor, neovim):
        client.open(uri, gemm_text)
        assert await client.labels(uri) == STATIC


async def test_hints_follow_an_edit_at_once(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    editor.change(uri, gemm_text.replace("bK=32", "bK=64"))
    assert (await editor.labels(uri))[10] == ": [128,64] f16 shared 16 KiB"


async def test_incremental_edits_arrive_where_the_client_means_them(editor, uri: str, gemm_text: str) -> None:
    text = "# é😀\x0c\u2028 comment\n" + gemm_text
    editor.open(uri, text)
    line = text.replace("\x0c", "").replace("\u2028", "").splitlines().index(gemm_text.splitlines()[5])
    column = gemm_text.splitlines()[5].index("bK=32") + 3
    change = types.TextDocumentContentChangePartial(
        types.Range(types.Position(line, column), types.Position(line, column + 2)), "16"
    )
    editor.client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    assert (await editor.labels(uri))[11] == ": [128,16] f16 shared 4 KiB"


async def test_places_are_in_the_clients_encoding(editor, neovim, uri: str, gemm_text: str) -> None:
    """The name of a buffer follows characters outside the basic plane; VS Code counts UTF-16, Neovim UTF-8."""
    text = gemm_text.replace("            A_shared = ", '            "é😀"; A_shared = ')
    before = text.splitlines()[9].partition(" = ")[0]
    for client, expected in ((editor, len(before.encode("utf-16-le")) // 2), (neovim, len(before.encode()))):
        client.open(uri, text)
        (hint,) = await client.hints(uri, 9, 10)
        assert hint.position.character == expected
        assert "**`A_shared`**" in await client.hover(uri, 9, expected - 2)


async def test_a_range_request_gets_the_hints_of_its_lines(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    assert [hint.position.line for hint in await editor.hints(uri, 10, 12)] == [10, 11]


async def test_a_broken_file_gets_a_diagnostic_on_its_line_and_keeps_its_hints(
    editor, uri: str, gemm_text: str
) -> None:
    editor.open(uri, gemm_text)
    assert await editor.labels(uri) == STATIC
    assert editor.diagnostics(uri) == []
    editor.change(uri, gemm_text.replace("T.gemm(A_shared, B_shared, C_local)", "T.gemm(A_shared, B_shared C_local"))
    assert await editor.labels(uri) == STATIC
    (diagnostic,) = editor.diagnostics(uri)
    assert (diagnostic.code, diagnostic.source, diagnostic.range.start.line) == ("TS001", "tilescope", 16)
    assert diagnostic.severity == types.DiagnosticSeverity.Error
    editor.change(uri, gemm_text)
    assert await editor.labels(uri) == STATIC
    assert editor.diagnostics(uri) == []


async def test_closing_takes_diagnostics_back(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text + "x = (")
    assert await editor.labels(uri)
    assert editor.diagnostics(uri)
    editor.close(uri)
    assert await editor.hints(uri) == []
    assert editor.diagnostics(uri) == []


async def test_nothing_is_executed(connect, uri: str, gemm_text: str, tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    interpreter = tmp_path / "python"
    interpreter.write_text(f"#!/bin/sh\ntouch {marker}\n")
    interpreter.chmod(0o755)
    editor = await connect(options={"trusted": "true", "interpreter": str(interpreter)})
    editor.open(uri, f"from pathlib import Path\nPath({str(marker)!r}).touch()\n{gemm_text}")
    answer = await editor.complete(uri)
    assert answer["stage"] == "static"
    assert answer["facts"]["schema"] == "tilescope.facts/1"
    assert {kernel["stage"] for file in answer["facts"]["files"] for kernel in file["kernels"]} == {"static"}
    status = editor.status(uri)
    assert (status["mode"], status["worker"], status["interpreter"]) == ("untrusted", "none", None)
    assert "not trusted" in status["message"]
    assert not marker.exists()


async def test_hover_says_what_is_known_and_for_what(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    line = gemm_text.splitlines()[16]
    used = await editor.hover(uri, 16, line.index("B_shared"))
    assert "**`B_shared`** `[32, 128] float16` · `shared.dyn`" in used
    assert "kernel `matmul.main` · target `cuda:sm_90a` (default) · read from the source, not compiled" in used
    assert "`M=1024` (default" in used
    assert "**launch**" in await editor.hover(uri, 8, 15)
    assert "**gemm**" in await editor.hover(uri, 16, line.index("gemm"))
    assert "**kernel `matmul.main`**" in await editor.hover(uri, 7, 10)
    assert await editor.hover(uri, 0, 0) == ""


async def test_a_tooltip_is_resolved_when_it_is_needed(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    (hint,) = await editor.hints(uri, 9, 10)
    assert hint.tooltip is None
    assert {"stage": "static", "version": 1, "target": "cuda:sm_90a"}.items() <= hint.data.items()
    assert len(hint.data["specialization"]) == 12
    resolved = await editor.client.inlay_hint_resolve_async(hint)
    assert "**`A_shared`**" in resolved.tooltip.value
    editor.change(uri, gemm_text + "\n")
    assert (await editor.client.inlay_hint_resolve_async(hint)).tooltip is None


async def test_a_client_that_cannot_resolve_gets_tooltips_at_once(connect, uri: str, gemm_text: str) -> None:
    editor = await connect("neovim@0.9.1")
    editor.open(uri, gemm_text)
    assert "**`A_shared`**" in (await editor.hints(uri, 9, 10))[0].tooltip.value


@pytest.mark.parametrize(
    "options", [[1, 2], "trusted", {"trusted": 1, "tagret": 3, "hints": None}, {"target": "cuda:sm_1"}]
)
async def test_garbage_options_are_reported_and_served(connect, uri: str, gemm_text: str, options: object) -> None:
    editor = await connect(options=options)
    editor.open(uri, gemm_text)
    assert await editor.labels(uri) == STATIC
    assert any("initializationOptions" in message.message for message in editor.client.log_messages)


async def test_any_document_and_folder_name(connect, gemm_text: str) -> None:
    editor = await connect(folder="file:///w/my%20%E6%A0%B8")
    names = ("untitled:Untitled-1", "file:///w/a%20b/%E6%A0%B8%20%E5%87%BD%E6%95%B0.py", "file:///w/a b.py")
    for name in names:
        editor.open(name, gemm_text + "x = (")
        assert await editor.labels(name) == STATIC
        assert [item.code for item in editor.diagnostics(name)] == ["TS001"]


async def test_files_without_kernels_are_left_alone(editor, uri: str) -> None:
    editor.open(uri, "def broken(:\n    pass\n")
    assert await editor.hints(uri) == []
    assert editor.diagnostics(uri) == []


async def test_wrong_requests_get_an_answer_and_end_nothing(editor, uri: str, gemm_text: str) -> None:
    send = editor.client.protocol.send_request_async
    assert await editor.hints("file:///w/never-opened.py") == []
    assert await send("tilescope/analysis", {"textDocument": {"uri": "file:///w/never-opened.py"}}) is None
    assert "`uri`" in (await send("tilescope/analysis", {"nonsense": 1}))["message"]
    wrong = '{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 3}}'
    for message in (wrong, "[", "{}"):
        editor.client.protocol.writer.write(f"Content-Length: {len(message)}\r\n\r\n{message}".encode())
    editor.client.protocol.notify("tilescope/unknown", {})
    editor.open(uri, gemm_text)
    assert await editor.labels(uri) == STATIC
