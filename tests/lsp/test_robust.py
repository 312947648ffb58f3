"""What changes or breaks while the server runs: settings, trust, its processes, its own bugs."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsprotocol import types

from tilescope_server.backoff import Backoff

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}


def workers(editor: Any) -> list[psutil.Process]:
    """The processes that the server has started itself."""
    return psutil.Process(editor.client._server.pid).children()


def configure(editor: Any, settings: dict[str, Any]) -> None:
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"tilescope": settings}))


async def test_settings_change_while_it_runs_and_grant_no_trust(connect, uri: str, gemm_text: str) -> None:
    editor = await connect(options={"trusted": False})
    editor.open(uri, gemm_text)
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared 8 KiB"
    configure(editor, {"trusted": True, "hints": {"memory": False, "parameter": False}})
    await editor.until(lambda: shows(editor, uri, 10, ": [128,32] f16 shared"))
    assert 8 not in await editor.labels(uri)
    assert editor.status(uri)["mode"] == "untrusted"
    configure(editor, {"hints": False})

    async def gone() -> bool:
        return await editor.labels(uri) == {}

    await editor.until(gone)
    assert workers(editor) == []


async def shows(editor: Any, uri: str, line: int, label: str) -> bool:
    return (await editor.labels(uri)).get(line) == label


async def test_trust_that_is_granted_later_compiles_what_is_open(connect, uri: str, gemm_text: str) -> None:
    editor = await connect(options={"trusted": False})
    editor.open(uri, gemm_text)
    assert (await editor.complete(uri))["stage"] == "static"
    editor.client.protocol.notify("tilescope/trust", {"trusted": "yes"})
    assert (await editor.complete(uri))["stage"] == "static"
    editor.client.protocol.notify("tilescope/trust", {"trusted": True})
    await editor.until(lambda: shows(editor, uri, 10, ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"))
    assert (await editor.complete(uri))["stage"] == "lowered"
    assert editor.status(uri)["mode"] == "full"


async def test_processes_that_are_killed_are_started_again_and_that_is_told(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    (worker,) = workers(editor)
    os.kill(worker.pid, signal.SIGKILL)

    async def revived() -> bool:
        await editor.labels(uri)
        states = [status["worker"] for status in editor.statuses]
        return "restarting" in states and editor.status(uri)["worker"] == "idle"

    await editor.until(revived)
    assert editor.status(uri)["restarts"] == 1
    assert any("ended unexpectedly" in status["message"] for status in editor.statuses)
    assert workers(editor)[0].pid != worker.pid
    editor.change(uri, gemm_text.replace("bK=32", "bK=64"))
    assert (await editor.complete(uri))["stage"] == "lowered"


async def test_a_kernel_that_takes_too_much_memory_is_stopped_at_the_setting(
    editor, uri: str, gemm_text: str
) -> None:
    configure(editor, {"worker": {"memoryMiB": 1536}})
    editor.open(uri, gemm_text + "\nhoard = [bytearray(1 << 24) for _ in range(200)]\n")
    await editor.complete(uri)
    (diagnostic,) = [one for one in editor.diagnostics(uri) if one.code == "TS004"]
    assert "limit 1.5 GiB" in diagnostic.message
    assert editor.status(uri)["memory_limit_bytes"] == 1536 << 20
    editor.change(uri, gemm_text)
    assert (await editor.complete(uri))["stage"] == "lowered"

    async def measured() -> bool:
        await editor.labels(uri)
        return any(status.get("memory_bytes") for status in editor.statuses)

    await editor.until(measured)


async def test_a_bug_is_told_in_the_log_and_its_file_and_in_no_window(connect, uri: str, gemm_text: str) -> None:
    bug = (
        "import tilescope_server.features.inlay_hint as feature\n"
        "def bug(*_):\n    raise ZeroDivisionError('over nothing')\n"
        "feature.inlay_hint = bug\n"
        "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    )
    editor = await connect(serve=bug)
    editor.open(uri, gemm_text)
    assert await editor.labels(uri) == {}
    assert "A_shared" in await editor.hover(uri, 9, 15)
    assert any("over nothing" in message.message for message in editor.client.log_messages)
    assert not editor.client.messages
    file = Path(editor.status(uri)["log"])
    assert "ZeroDivisionError: over nothing" in file.read_text()
    file.unlink()


async def test_waits_grow_while_something_fails_and_begin_anew_when_it_has_been_calm() -> None:
    now = 0.0
    backoff = Backoff(lambda: now)
    assert backoff.remaining == 0
    waits = []
    for _ in range(9):
        waits.append(backoff.failed())
        now += waits[-1]
    assert waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30]
    assert backoff.remaining == 0
    now += 120
    assert backoff.failed() == 0.25
