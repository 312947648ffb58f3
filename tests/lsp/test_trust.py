"""Without trust nothing of a workspace is executed, whatever it holds; trust that is granted later counts at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")

EVIL = "#!/bin/sh\ntouch {marker}\n"


def evil(path: Path, marker: Path) -> Path:
    """A program that leaves a mark when it is run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(EVIL.format(marker=marker), encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def hostile(tmp_path: Path, gemm_text: str) -> Path:
    """A workspace in which everything that could be run leaves a mark in the folder ``marks``."""
    marks = tmp_path / "marks"
    marks.mkdir()
    root = tmp_path / "workspace"
    for program in ("python", "python3", "activate"):
        evil(root / ".venv/bin" / program, marks / f"venv-{program}")
    (root / ".venv/pyvenv.cfg").write_text("home = /usr\n")
    interpreter = evil(root / "tools/python", marks / "configured")
    (root / "pyproject.toml").write_text(f"[tool.tilescope]\ninterpreter = {str(interpreter)!r}\n")
    (root / "tilescope.toml").write_text(f"interpreter = {str(interpreter)!r}\n")
    (root / "sitecustomize.py").write_text(f"open({str(marks / 'site')!r}, 'w')\n")
    (root / "helper.py").write_text(f"open({str(marks / 'helper')!r}, 'w')\nBK = 32\n")
    (root / "conftest.py").write_text(f"open({str(marks / 'conftest')!r}, 'w')\n")
    (root / "kernel.py").write_text(f"import helper\nopen({str(marks / 'file')!r}, 'w')\n{gemm_text}")
    return root


@pytest.mark.parametrize("trusted", [False, None, "true", 1])
async def test_nothing_of_an_untrusted_workspace_runs(connect, hostile: Path, trusted: object) -> None:
    options = {"trusted": trusted, "interpreter": str(hostile / "tools/python")}
    editor = await connect(options=options, folder=hostile.as_uri())
    uri = (hostile / "kernel.py").as_uri()
    editor.open(uri, (hostile / "kernel.py").read_text())
    assert (await editor.complete(uri))["stage"] == "static"
    await editor.hover(uri, 14, 14)
    whole = types.Range(types.Position(0, 0), types.Position(40, 0))
    document = types.TextDocumentIdentifier(uri)
    await editor.client.text_document_code_action_async(
        types.CodeActionParams(document, whole, types.CodeActionContext([]))
    )
    await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    editor.change(uri, (hostile / "kernel.py").read_text() + "\n# edited\n")
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    await editor.complete(uri)
    # Longer than files have to rest before the workspace around the document is read.
    await asyncio.sleep(0.6)
    assert psutil.Process(editor.client._server.pid).children(recursive=True) == []
    assert list((hostile.parent / "marks").iterdir()) == []
    assert editor.status(uri)["mode"] == "untrusted"
    assert not list(hostile.rglob("__pycache__"))


async def test_trust_granted_later_upgrades_what_is_open(connect, gemm_text: str, tmp_path: Path) -> None:
    editor = await connect(options={"trusted": False}, folder=tmp_path.as_uri())
    first, second = ((tmp_path / name).as_uri() for name in ("first.py", "second.py"))
    for uri in (first, second):
        editor.open(uri, gemm_text)
        assert (await editor.complete(uri))["stage"] == "static"
    # Settings may come from a file of the workspace, and trust is a boolean.
    settings = types.DidChangeConfigurationParams({"tilescope": {"trusted": True}})
    editor.client.workspace_did_change_configuration(settings)
    editor.client.protocol.notify("tilescope/trust", {"trusted": "yes"})
    assert (await editor.complete(first))["stage"] == "static"
    assert editor.status(first)["mode"] == "untrusted"
    editor.client.protocol.notify("tilescope/trust", {"trusted": True})
    for uri in (first, second):

        async def compiled(uri: str = uri) -> bool:
            return (await editor.analysis(uri))["stage"] == "lowered"

        await editor.until(compiled)
        assert (await editor.labels(uri))[10] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    assert editor.status(first)["mode"] == "full"
    # The session goes on as if it had always been trusted.
    editor.change(first, gemm_text.replace("bK=32", "bK=64"))
    await editor.complete(first)
    assert (await editor.labels(first))[10] == ": [128,64] f16 shared ×3 ⟨swz128⟩ 48 KiB"
