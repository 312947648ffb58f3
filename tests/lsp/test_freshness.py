"""What a document depends on is followed: modules in the editor and on disk, configurations."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from tests.lsp.conftest import Editor

from tilescope_server import polling
from tilescope_server.freshness import dependents
from tilescope_server.session import Session
from tilescope_server.settings import Settings
from tilescope_server.trust import Trust

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}
ALLOCATED = 13
"""The line of A_shared, whose hint tells the size that the module gives."""


@pytest.fixture
def project(tmp_path: Path, gemm_text: str) -> Path:
    """A kernel whose tile has the size that ``tiles.py`` says."""
    text = gemm_text.replace(", bK=32", "").replace("    @T.prim_func", "    bK = tiles.BK\n\n    @T.prim_func")
    (tmp_path / "kernel.py").write_text("import tiles\n" + text)
    (tmp_path / "tiles.py").write_text("BK = 32\n")
    return tmp_path


async def label(editor: Editor, uri: str, expected: str, *, fresh: bool = True) -> None:
    async def holds() -> bool:
        return (await editor.labels(uri)).get(ALLOCATED, "").startswith(expected)

    await editor.until(holds)
    if fresh:
        await editor.complete(uri)


async def tell(editor: Editor, path: Path, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(path.as_uri(), kind)])
    )


async def test_kernels_follow_a_module_in_the_editor_before_it_is_saved(editor: Editor, project: Path) -> None:
    kernel, tiles = (project / name for name in ("kernel.py", "tiles.py"))
    uri = kernel.as_uri()
    editor.open(uri, kernel.read_text())
    await editor.complete(uri)
    await label(editor, uri, ": [128,32] f16")
    editor.open(tiles.as_uri(), "BK = 32\n")
    assert (await editor.analysis(uri))["complete"], "a module that is as on disk changes nothing"
    editor.change(tiles.as_uri(), "BK = 64\n")
    assert not (await editor.analysis(uri))["complete"], "what is known is stale at once"
    await label(editor, uri, ": [128,64] f16")

    editor.change(tiles.as_uri(), "BK = 64 +\n")
    broken = await editor.complete(uri)
    assert [one["code"] for one in broken["facts"]["files"][0]["findings"]] == ["TS002"]
    editor.change(tiles.as_uri(), "BK = 128\n")
    await label(editor, uri, ": [128,128] f16")

    # Closed without saving, it is again what is on disk.
    editor.close(tiles.as_uri())
    await label(editor, uri, ": [128,32] f16")


async def test_kernels_follow_modules_and_configurations_on_disk(editor: Editor, project: Path) -> None:
    kernel, tiles, config = (project / name for name in ("kernel.py", "tiles.py", "tilescope.toml"))
    uri = kernel.as_uri()
    editor.open(uri, kernel.read_text())
    await label(editor, uri, ": [128,32] f16")
    tiles.write_text("BK = 64\n")
    await tell(editor, tiles)
    assert not (await editor.analysis(uri))["complete"]
    await label(editor, uri, ": [128,64] f16")

    config.write_text("targets = 'cuda:sm_80'\ntagret = 1\n")
    await tell(editor, config, types.FileChangeType.Created)
    found = await editor.complete(uri)
    assert {one["target"] for one in found["facts"]["files"][0]["kernels"]} == {"cuda:sm_80"}
    assert {one["target_origin"] for one in found["facts"]["files"][0]["kernels"]} == {"config"}
    (diagnostic,) = editor.diagnostics(config.as_uri())
    assert (diagnostic.code, diagnostic.range.start.line) == ("TS007", 1)

    config.write_text("exclude = '*.py'\n")
    await tell(editor, config)
    assert (await editor.complete(uri))["facts"]["files"][0]["kernels"] == []
    assert "excludes it" in editor.status(uri)["message"]
    assert editor.diagnostics(config.as_uri()) == []

    config.unlink()
    await tell(editor, config, types.FileChangeType.Deleted)
    await label(editor, uri, ": [128,64] f16")


async def test_an_interpreter_in_the_configuration_is_used_and_told(connect, project: Path) -> None:
    config, bare = project / "tilescope.toml", project / "bare"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    config.write_text("interpreter = 'none/python'\n")
    editor = await connect(options={"trusted": True}, folder=project.as_uri())
    uri = (project / "kernel.py").as_uri()
    editor.open(uri, (project / "kernel.py").read_text())
    await editor.complete(uri)
    watched = editor.registered["workspace/didChangeWatchedFiles"]["watchers"]
    assert {"**/*.py", "**/pyproject.toml", "**/tilescope.toml"} <= {one["globPattern"] for one in watched}
    assert "tilescope.toml:1: interpreter 'none/python'" in editor.status(uri)["message"]

    config.write_text("\ninterpreter = 'bare'\n")
    await tell(editor, config)
    await editor.complete(uri)
    assert [one.code for one in editor.diagnostics(uri)] == ["TS005"]
    status = editor.status(uri)
    assert (status["interpreter"], status["interpreter_why"]) == (str(bare), f"{config}:2 sets it")


async def test_files_are_looked_at_where_nobody_tells_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "SECONDS", 0.01)
    seen: asyncio.Queue[list[str]] = asyncio.Queue()
    watched, missing = str(tmp_path / "a.py"), str(tmp_path / "b.py")
    Path(watched).write_text("1")

    def told(paths: list[str]) -> None:
        seen.put_nowait(paths)
        raise ValueError("a bug elsewhere does not end the watch")

    task = asyncio.create_task(polling.poll(lambda: {watched, missing}, told))
    await asyncio.sleep(0.1)
    assert seen.empty()
    Path(watched).write_text("22")
    assert await asyncio.wait_for(seen.get(), 20) == [watched]
    Path(missing).write_text("1")
    assert await asyncio.wait_for(seen.get(), 20) == [missing]
    Path(watched).unlink()
    assert await asyncio.wait_for(seen.get(), 20) == [watched]
    task.cancel()


async def test_only_what_depends_on_a_file_is_analysed_again(tmp_path: Path) -> None:
    trusted, stranger = (Session(Settings(), Trust(execute, None), tmp_path) for execute in (True, False))
    for session in (trusted, stranger):
        session.open((tmp_path / "a" / "one.py").as_uri(), "from helpers import tile", 1)
        session.open((tmp_path / "a" / "two.py").as_uri(), "import other\nhelpers = 1", 1)
        session.open((tmp_path / "b" / "three.py").as_uri(), "", 1)
    imported = {str(tmp_path / "b" / "three.py"): (str((tmp_path / "deep.py").resolve()),)}

    def named(session: Session, *paths: Path) -> list[str]:
        found = dependents(map(str, paths), session, lambda path: imported.get(path, ()))
        return [Path(one.snapshot.path).name for one in found]

    assert named(trusted, tmp_path / "helpers.py") == ["one.py"]
    assert named(trusted, tmp_path / "helpers" / "__init__.py") == ["one.py"]
    assert named(trusted, tmp_path / "deep.py") == ["three.py"]
    assert named(trusted, tmp_path / "a" / "one.py", tmp_path / "none.py") == []
    assert named(trusted, tmp_path / "a" / "pyproject.toml") == ["one.py", "two.py"]
    assert named(stranger, tmp_path / "helpers.py") == []
    assert named(stranger, tmp_path / "tilescope.toml") == ["one.py", "two.py", "three.py"]


CALLED = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def copy(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16")):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((M, N), "float16")
            T.copy(A, s)

    return main
"""


async def test_calls_in_other_files_are_followed_without_trust_too(connect, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    kernel, caller = tmp_path / "kernel.py", tmp_path / "bench.py"
    kernel.write_text(CALLED)
    caller.write_text("from kernel import copy\ncopy(64, 32)\n")
    editor = await connect(options=None, folder=tmp_path.as_uri())
    uri = kernel.as_uri()
    editor.open(uri, CALLED)

    async def shared(label: str) -> None:
        async def holds() -> bool:
            return (await editor.labels(uri)).get(10, "").startswith(label)

        await editor.until(holds, 60)

    await shared(": [64,32] f16")
    (kernel_facts,) = (await editor.complete(uri))["facts"]["files"][0]["kernels"]
    argument = kernel_facts["specialization"]["args"]["M"]
    assert (argument["origin"], argument["file"], argument["line"]) == ("call", str(caller), 2)

    caller.write_text("from kernel import copy\n\ncopy(128, 32)\n")
    await tell(editor, caller)
    await shared(": [128,32] f16")
    editor.open(caller.as_uri(), caller.read_text())
    editor.change(caller.as_uri(), "from kernel import copy\ncopy(256, 32)\n")
    await shared(": [256,32] f16")
    editor.close(caller.as_uri())
    await shared(": [128,32] f16")
    caller.unlink()
    await tell(editor, caller, types.FileChangeType.Deleted)
    await shared(": [M,N] f16")
