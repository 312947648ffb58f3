"""The GPU of the machine as the target of kernels that name none: where it may be asked and is not switched off."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import SERVE, Editor

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform == "win32", reason="the driver's tool is a shell script here"),
]


def _serve(folder: Path) -> str:
    """A server on a machine whose driver tells of an A100, and leaves a mark when it is asked."""
    tool = folder / "bin" / "nvidia-smi"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\necho 8.0\n: > '{folder}/asked'\n")
    tool.chmod(0o755)
    path = os.pathsep.join((str(tool.parent), os.environ["PATH"]))
    return f"import os; os.environ['PATH'] = {path!r}; os.environ.pop('TILESCOPE_DEVICE', None); {SERVE}"


async def _targets(editor: Editor, uri: str) -> list[tuple[str, str]]:
    kernels: list[dict[str, Any]] = (await editor.analysis(uri))["facts"]["files"][0]["kernels"]
    return [(one["target"], one["target_origin"]) for one in kernels]


async def test_trusted(connect: Callable[..., Awaitable[Editor]], tmp_path: Path, uri: str, gemm_text: str) -> None:
    editor = await connect("vscode", {"trusted": True}, tmp_path.as_uri(), _serve(tmp_path))
    editor.open(uri, gemm_text)

    async def found() -> bool:
        return await _targets(editor, uri) == [("cuda:sm_80", "device")]

    await editor.until(found, 60)
    (tmp_path / "pyproject.toml").write_text('[tool.tilescope]\ntargets = ["cuda:sm_90a"]\n')
    editor.change(uri, gemm_text + "\n")
    assert await _targets(editor, uri) == [("cuda:sm_90a", "config")]


async def test_untrusted_or_switched_off(
    connect: Callable[..., Awaitable[Editor]], tmp_path: Path, uri: str, gemm_text: str
) -> None:
    serve = _serve(tmp_path)
    for options in ({"trusted": False}, {"trusted": True, "device": False}):
        editor = await connect("vscode", options, tmp_path.as_uri(), serve)
        editor.open(uri, gemm_text)
        await editor.complete(uri)
        assert await _targets(editor, uri) == [("cuda:sm_90a", "default")]
        assert not (tmp_path / "asked").exists()
