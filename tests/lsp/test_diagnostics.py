"""Diagnostics over stdio: fetched or pushed, and just what lint reports."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = None
BAD = "# tilescope: nothing=3"
"""A directive that names no parameter of the kernel: TS006."""


@pytest.fixture
def text(gemm_text: str) -> str:
    return gemm_text.replace("@tilelang.jit", f"{BAD}\n@tilelang.jit")


async def fetched(editor, uri: str, previous: str | None = None):
    identifier = types.TextDocumentIdentifier(uri)
    return await editor.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(identifier, previous_result_id=previous)
    )


async def codes(editor, uri: str) -> list[tuple[str, int]]:
    await editor.labels(uri)
    return [(one.code, one.range.start.line) for one in editor.diagnostics(uri)]


async def test_who_fetches_gets_nothing_pushed_and_is_told_when_nothing_changed(editor, uri: str, text: str) -> None:
    editor.open(uri, text)
    first = await fetched(editor, uri)
    (diagnostic,) = first.items
    assert (diagnostic.code, diagnostic.severity) == ("TS006", types.DiagnosticSeverity.Warning)
    assert (await fetched(editor, uri, first.result_id)).kind == "unchanged"
    editor.change(uri, "# one line more\n" + text)
    second = await fetched(editor, uri, first.result_id)
    assert [one.range.start.line for one in second.items] == [diagnostic.range.start.line + 1]
    assert uri not in editor.client.diagnostics


async def test_who_cannot_be_told_to_fetch_again_gets_them_pushed(neovim, uri: str, text: str) -> None:
    neovim.open(uri, text)
    assert await codes(neovim, uri) == [("TS006", 4)]
    with pytest.raises(Exception, match=r"(?i)not found"):
        await fetched(neovim, uri)


async def test_a_finding_links_to_the_page_of_its_rule(connect, editor, uri: str, text: str) -> None:
    editor.open(uri, text)
    (diagnostic,) = (await fetched(editor, uri)).items
    page = diagnostic.code_description.href
    assert page.startswith("file://")
    assert Path(page.removeprefix("file://")).read_text().startswith("# TS006 ")
    assert diagnostic.data["kind"] == "finding"
    other = await connect(options={"diagnostics": {"rulePages": "https://docs.example.org/rules/"}})
    other.open(uri, text)
    (diagnostic,) = (await fetched(other, uri)).items
    assert diagnostic.code_description.href == "https://docs.example.org/rules/TS006.md"


async def test_what_is_used_no_more_is_struck_out(editor, uri: str, gemm_text: str) -> None:
    removed = '@tilelang.jit(pass_configs={"tir.disable_vectorize": True})'
    editor.open(uri, gemm_text.replace("@tilelang.jit", removed))
    await editor.complete(uri)
    found = {one.code: one for one in editor.diagnostics(uri)}
    assert found["TS503"].tags == (types.DiagnosticTag.Deprecated,)
    assert found["TS503"].data["fixes"][0]["title"] == "Rename to tirx.disable_vectorize"


async def test_unresolved_arguments_are_named_for_whoever_offers_to_write_them(editor, uri: str) -> None:
    editor.open(
        uri,
        "import tilelang\nimport tilelang.language as T\n\n@tilelang.jit\ndef made(N, K):\n"
        '    @T.prim_func\n    def main(A: T.Tensor((N, K), "float16")):\n'
        "        with T.Kernel(N, threads=128) as bx:\n            A[bx, 0] = 0\n    return main\n",
    )
    await editor.complete(uri)
    found = [one for one in editor.diagnostics(uri) if one.code == "TS003"]
    for one in found:
        assert one.severity == types.DiagnosticSeverity.Hint
        assert one.message.startswith("unresolved: N, K\n")
        assert (one.data["kind"], one.data["kernel"], one.data["names"]) == ("unresolved", "made.main", ["N", "K"])
    assert found


async def test_comments_and_configuration_count_as_in_lint_and_are_followed_live(
    editor, neovim, text: str, tmp_path: Path
) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.tilescope.lint]\n")
    for client, name in ((editor, "a.py"), (neovim, "b.py")):
        uri = (tmp_path / name).as_uri()
        client.open(uri, text)
        assert await codes(client, uri) == [("TS006", 4)]

        async def configured(lines: str, expected: list[int], client=client, uri=uri) -> None:
            project.write_text(f"[tool.tilescope.lint]\n{lines}\n")
            stamp = project.stat().st_mtime_ns + 1_000_000_000
            os.utime(project, ns=(stamp, stamp))
            changed = types.FileEvent(project.as_uri(), types.FileChangeType.Changed)
            client.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))

            async def reached() -> bool:
                await client.labels(uri)
                return [int(one.severity) for one in client.diagnostics(uri)] == expected

            await client.until(reached, 30)

        await configured('severity = { TS006 = "error" }', [1])
        await configured('ignore = ["TS0"]', [])
        await configured('select = ["TS006"]', [2])
        await configured('per_file_ignores = { "[ab].py" = ["TS006"] }', [])
        await configured("", [2])
        client.change(uri, f"# tilescope: ignore-file[TS006] as it should be\n{text}")
        assert await codes(client, uri) == []


@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind)[:3])
async def test_places_are_counted_as_the_client_counts(connect, uri: str, gemm_text: str, encoding) -> None:
    editor = await connect(encoding=encoding)
    before = "x = '核😀é'; y = "
    editor.open(uri, f"{gemm_text}\n{before}(\n")
    (diagnostic,) = (await fetched(editor, uri)).items
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert diagnostic.range.start.character == units[encoding.value]
