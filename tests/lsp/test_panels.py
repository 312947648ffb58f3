"""What panels ask for, over stdio, with the real compiler; every answer fits its published schema."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tilescope.schemas import SCHEMAS
from tilescope_server.panels.recordings import PREFIX, new_folder
from tilescope_server.panels.shapes import ANSWERS
from tilescope_trace.model.schemas import schema_of

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}


async def ask(editor: Any, uri: str, method: str, **params: Any) -> Any:
    """The answer to a method, which is as the schema says."""
    sent = {"textDocument": {"uri": uri}, **params}
    answer = await editor.client.protocol.send_request_async(f"tilescope/{method}", sent)
    if answer["schema"] == "tilescope.problem/1":
        jsonschema.validate(answer, SCHEMAS["problem"]())
    else:
        jsonschema.validate(answer, schema_of(*ANSWERS[f"tilescope/{method}"]))
    return answer


async def problem(editor: Any, uri: str, method: str, **params: Any) -> str:
    answer = await ask(editor, uri, method, **params)
    assert answer["schema"] == "tilescope.problem/1"
    return str(answer["message"])


async def execute(editor: Any, command: str, **argument: Any) -> Any:
    return await editor.client.workspace_execute_command_async(types.ExecuteCommandParams(command, [argument]))


@pytest.fixture(scope="module")
def gemm_uri(tmp_path_factory: pytest.TempPathFactory) -> str:
    return (tmp_path_factory.mktemp("panels") / "gemm.py").as_uri()


@pytest.fixture(scope="module")
def opened(editor: Any, gemm_uri: str, gemm_text: str) -> str:
    """One document for all tests that leave it as it is: its recordings are made once."""
    editor.open(gemm_uri, gemm_text)
    return gemm_uri


async def test_the_passes_of_a_kernel_and_what_one_changed(editor, opened: str) -> None:
    listed = await ask(editor, opened, "passes")
    assert (listed["kernel"], listed["target"], listed["status"]) == ("matmul.main", "cuda:sm_90a", "ok")
    assert (listed["of"]["version"], listed["of"]["line"]) == (1, 8)
    assert Path(listed["of"]["recording"]).exists()
    (layouts,) = [one for one in listed["passes"] if one["name"] == "tl.LayoutInference"]
    assert "A_shared" in layouts["summary"]
    changed = await ask(editor, opened, "diff", **{"pass": layouts["index"]})
    assert (changed["pass"]["name"], changed["changed"]) == ("tl.LayoutInference", True)
    assert (changed["insertions"], changed["deletions"]) == (layouts["insertions"], layouts["deletions"])
    assert changed["purpose"]
    assert {one["name"] for one in changed["layouts"]} == {"A_shared", "B_shared", "C_local"}
    lines = [row["after"] for row in changed["rows"] if row["after"] is not None]
    assert any(line["source"] == [{"file": "gemm.py", "line": 10}] for line in lines)
    assert any(row["kind"] == "skip" for row in changed["rows"])
    whole = await ask(editor, opened, "diff", **{"pass": "LayoutInference", "context": None})
    assert not any(row["kind"] == "skip" for row in whole["rows"])
    shown = await ask(editor, opened, "show", **{"pass": "LayoutInference"})
    assert [one["text"] for one in shown["lines"]] == [
        row["after"]["text"] for row in whole["rows"] if row["after"] is not None
    ]


async def test_a_buffer_and_a_line_are_followed_to_the_generated_source(editor, opened: str) -> None:
    buffer = await ask(editor, opened, "history", buffer="A_shared")
    assert "3 stages" in " ".join(step["change"] for step in buffer["steps"])
    line = await ask(editor, opened, "history", line=17)
    made = await ask(editor, opened, "generated")
    assert (made["language"], line["subject"]["line"]) == ("cuda", 17)
    for entry in line["generated"]:
        there = made["lines"][entry["line"] - 1]
        assert (there["text"], {"file": "gemm.py", "line": 17} in there["source"]) == (entry["text"], True)
    assert {one.get("role") for one in made["lines"]} >= {"producer", "consumer"}


async def test_layouts_are_drawn_and_listed(editor, opened: str) -> None:
    shared = await ask(editor, opened, "layout", buffer="A_shared", rows=[0, 8], columns=[0, 32])
    assert (len(shared["cells"]), len(shared["cells"][0])) == (8, 32)
    assert shared["cells"][2][0] == {"address": 144, "bank": 4}
    assert shared["svg"].startswith("<svg")
    assert "swizzle 64B" in shared["text"]
    fragment = await ask(editor, opened, "layout", buffer="C_local", rows=[0, 1], columns=[0, 4])
    assert [cell["threads"] for cell in fragment["cells"][0]] == [[0], [0], [1], [1]]
    assert "A_shared, B_shared, C_local" in await problem(editor, opened, "layout", buffer="nothing")
    assert "no layout of A is known" in await problem(editor, opened, "layout", buffer="A")
    assert "fewer rows" in await problem(editor, opened, "layout", buffer="C_local", rows=[0, 9999], columns=[0, 99])


async def test_memories_have_their_buffers_and_room(editor, opened: str) -> None:
    answer = await ask(editor, opened, "memory", record=True)
    spaces = {space["name"]: space for space in answer["spaces"]}
    shared, registers = spaces["shared"], spaces["registers"]
    assert (shared["declared"], shared["capacity"]) == (49152, 232448)
    assert [(one["name"], one["bytes"], one["offset"]) for one in shared["buffers"]] == [
        ("A_shared", 24576, 0),
        ("B_shared", 24576, 24576),
    ]
    assert (shared["buffers"][0]["first_use"], shared["buffers"][0]["last_use"]) == (15, 17)
    assert (registers["used"], registers["buffers"][0]["registers"]) == (128, 128)
    assert answer["notes"] == []


async def test_two_variants_are_compared(editor, opened: str) -> None:
    answer = await ask(editor, opened, "compare", a={}, b={"arguments": {"stages": "2"}})
    assert (answer["same"], answer["a"]["target"]) == (False, "cuda:sm_90a")
    assert answer["a"]["specialization"] != answer["b"]["specialization"]
    assert {"name": "argument stages", "a": 3, "b": 2} in answer["environment"]
    assert answer["first_divergence"] is not None


async def test_a_hover_tells_what_became_of_a_buffer_that_is_recorded(editor, opened: str) -> None:
    await ask(editor, opened, "passes")
    text = await editor.hover(opened, 9, 14)
    assert "through the passes:" in text
    assert "tl.LayoutInference" in text


async def test_what_cannot_be_answered_is_said(editor, opened: str, tmp_path: Path) -> None:
    assert await problem(editor, opened, "timeline") == "no profile attached"
    assert "there is no pass 'Nope'" in await problem(editor, opened, "diff", **{"pass": "Nope"})
    assert "`pass`" in await problem(editor, opened, "diff")
    assert "matmul.main" in await problem(editor, opened, "passes", kernel="other")
    assert "unknown target" in await problem(editor, opened, "passes", target="cuda:sm_1x")
    assert "no buffer" in await problem(editor, opened, "history", buffer="nothing")
    assert "not open" in await problem(editor, (tmp_path / "other.py").as_uri(), "passes")
    empty, broken = (tmp_path / "empty.py").as_uri(), (tmp_path / "broken.py").as_uri()
    editor.open(empty, "")
    assert await problem(editor, empty, "passes") == "the document holds no kernels"
    editor.open(broken, "import tilelang\n@tilelang.jit\ndef f(:\n")
    assert "must parse first" in await problem(editor, broken, "memory")
    for method in ANSWERS:
        answer = await editor.client.protocol.send_request_async(method, {})
        assert answer["schema"] == "tilescope.problem/1"


async def test_profiles_are_joined_with_the_kernel(editor, opened: str, tmp_path: Path) -> None:
    profile = Path(__file__).parents[1] / "data" / "profiles" / "h200" / "gemm_torch.json.gz"
    answer = await ask(editor, opened, "timeline", profiles=[str(profile)], kernel="main")
    assert (answer["of"]["kernel"], answer["alone"]) == ("matmul.main", None)
    (file,) = answer["files"]
    assert file["launches"]
    assert all("recording" in one for one in file["launches"])
    alone = await ask(editor, opened, "timeline", profiles=[str(profile)], kernel="nothing")
    assert (alone["of"], "no kernel" in alone["alone"]) == (None, True)
    assert "no_such" in await problem(editor, opened, "timeline", profiles=[str(tmp_path / "no_such.json")])


async def test_without_trust_nothing_is_recorded(connect, uri: str, gemm_text: str) -> None:
    stranger = await connect(options={})
    stranger.open(uri, gemm_text)
    assert "not trusted" in await problem(stranger, uri, "passes")
    assert "not trusted" in await problem(stranger, uri, "memory")
    lenses = await stranger.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(uri))
    )
    assert [lens.command.command for lens in lenses] == ["tilescope.switchSpecialization", "tilescope.switchTarget"]


async def test_a_recording_shows_progress_and_can_be_cancelled(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text.replace("bK=32", "bK=64"))
    token = "the client's"
    work = asyncio.create_task(ask(editor, uri, "passes", workDoneToken=token))

    async def begun() -> Any:
        return editor.client.progress_reports.get(token)

    (begin,) = (await editor.until(begun))[:1]
    assert begin.title == "Recording matmul.main for cuda:sm_90a"
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    with pytest.raises(JsonRpcException, match="cancel"):
        await work
    assert (await ask(editor, uri, "passes"))["status"] == "ok"


async def test_what_is_chosen_counts_until_it_is_taken_back(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)

    async def lenses() -> list[str]:
        found = await editor.client.text_document_code_lens_async(
            types.CodeLensParams(types.TextDocumentIdentifier(uri))
        )
        assert [lens.range.start.line for lens in found] == [6] * len(found)
        return [lens.command.title for lens in found]

    assert await lenses() == [
        "M=1024 N=1024 K=1024 bM=128 bN=128 bK=32 stages=3 (default)",
        "cuda:sm_90a (default)",
        "Passes",
        "Layouts",
        "Compare",
    ]
    assert (
        await execute(editor, "tilescope.chooseSpecialization", uri=uri, kernel="main", arguments={"bK": "64"})
        is None
    )
    refreshes = editor.lens_refreshes
    assert await execute(editor, "tilescope.chooseTarget", uri=uri, line=9, target="cuda:sm_80") is None
    await editor.until(lambda: asyncio.sleep(0, editor.lens_refreshes > refreshes))
    assert (await lenses())[:2] == [
        "M=1024 N=1024 K=1024 bM=128 bN=128 bK=64 stages=3 (chosen here)",
        "cuda:sm_80 (editor)",
    ]
    assert (await editor.labels(uri))[10].startswith(": [128,64]")
    known = await ask(editor, uri, "variants")
    assert known["chosen"]
    now, before = known["specializations"]
    assert (now["args"]["bK"]["origin"], now["current"], before["args"]["bK"]["value"]) == ("editor", True, 32)
    assert [one["name"] for one in known["targets"] if one["current"]] == ["cuda:sm_80"]
    for wrong in ({"arguments": {"nope": "1"}}, {"arguments": {"bK": "1 +"}}):
        answer = await execute(editor, "tilescope.chooseSpecialization", uri=uri, **wrong)
        assert answer["schema"] == "tilescope.problem/1"
    await execute(editor, "tilescope.chooseSpecialization", uri=uri, arguments=None)
    await execute(editor, "tilescope.chooseTarget", uri=uri, target=None)
    assert (await lenses())[1] == "cuda:sm_90a (default)"
    assert not (await ask(editor, uri, "variants"))["chosen"]
    await editor.complete(uri)


async def test_calls_of_a_kernel_can_be_chosen(editor, uri: str, gemm_text: str) -> None:
    text = f"{gemm_text}\n\nmatmul(256, 256, 256)\nmatmul(K=512, bK=64)\n"
    editor.open(uri, text)
    known = await ask(editor, uri, "variants")
    first, second = known["specializations"]
    assert (first["line"], first["arguments"]["M"], first["current"]) == (23, "256", True)
    assert (second["line"], second["arguments"]["K"], second["origin"]) == (24, "512", "call")


async def test_a_client_without_panels_gets_files(editor, opened: str, gemm_text: str) -> None:
    for command in ("tilescope.showPasses", "tilescope.showLayouts"):
        assert await execute(editor, command, uri=opened, kernel="matmul.main") is None
    shown = editor.client.shown_documents[-2:]
    page, layouts = (Path(one.uri.removeprefix("file://")).read_text() for one in shown)
    assert [one.external for one in shown] == [True, False]
    assert page.startswith("<!")
    assert "C_local [128, 128] float32" in layouts


async def test_other_clients_are_asked_what_to_take(connect, uri: str, gemm_text: str) -> None:
    editor = await connect("neovim", options={})
    asked: list[types.ShowMessageRequestParams] = []
    answers = ["cuda:sm_80", "Write a directive", None]

    @editor.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def answer(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        asked.append(params)
        chosen = answers.pop(0)
        return types.MessageActionItem(chosen) if chosen is not None else None

    edits: list[types.ApplyWorkspaceEditParams] = []

    @editor.client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    editor.open(uri, gemm_text)
    await execute(editor, "tilescope.switchTarget", uri=uri, kernel="matmul.main")
    assert "now cuda:sm_90a" in asked[0].message
    assert (await editor.analysis(uri))["facts"]["files"][0]["kernels"][0]["target"] == "cuda:sm_80"
    await execute(editor, "tilescope.switchSpecialization", uri=uri, kernel="matmul.main")
    (edit,) = edits[0].edit.changes[uri]
    assert edit.new_text == "# tilescope: M=1024, N=1024, K=1024, bM=128, bN=128, bK=32, stages=3\n"
    await execute(editor, "tilescope.switchTarget", uri=uri, kernel="matmul.main")
    assert "As the file says" in [item.title for item in asked[2].actions]


async def test_what_a_killed_server_has_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    dead, alive = (tmp_path / f"{PREFIX}{pid}-x" for pid in (ended.pid, os.getppid()))
    for folder in (dead, alive):
        folder.mkdir()
    made = new_folder()
    assert (dead.exists(), alive.exists(), made.parent) == (False, True, tmp_path)
