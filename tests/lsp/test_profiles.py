"""Profiles attached to a kernel of an open document: hints and hovers tell where it spends its time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lsprotocol import types

from tilescope_server.fitting import Label, Piece
from tilescope_server.heat import KernelHeat
from tilescope_server.labels import with_heat
from tilescope_server.panels.shapes import ANSWERS
from tilescope_server.settings import Hints
from tilescope_trace.model.schemas import schema_of
from tilescope_trace.profile.heat import Hot

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True, "target": "cuda:sm_90a"}
TESTS = Path(__file__).parents[1]
H200 = TESTS / "data" / "profiles" / "h200"
GEMM = "matmul.gemm_relu"
COPY_LINE, GEMM_LINE = 22, 24


async def attach(editor: Any, uri: str, *profiles: str, codes: tuple[str, ...] = ()) -> Any:
    argument = {
        "uri": uri,
        "kernel": GEMM,
        "profiles": [str(H200 / name) for name in profiles],
        "codes": [str(H200 / name) for name in codes],
    }
    command = types.ExecuteCommandParams("tilescope.attachProfile", [argument])
    return await editor.client.workspace_execute_command_async(command)


@pytest.fixture(scope="module")
def profiled(editor: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The GEMM that ran on the H200, opened in an editor."""
    text = (TESTS / "kernels" / "profiled_kernels.py").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("profiled") / "profiled_kernels.py"
    text = text.partition("@tilelang.jit\ndef attention")[0]
    path.write_text(text, encoding="utf-8")
    editor.open(path.as_uri(), text)
    return path.as_uri()


async def test_hints_and_hovers_carry_the_share_and_the_top_stall(editor, profiled: str) -> None:
    await editor.complete(profiled)
    plain = (await editor.labels(profiled))[GEMM_LINE]
    answer = await attach(editor, profiled, "gemm_ncu_source_sass.csv.gz", codes=("gemm.cubin",))
    jsonschema.validate(answer, schema_of(*ANSWERS["tilescope/timeline"]))
    assert answer["of"] is not None
    sample = next(one for one in answer["files"][0]["samples"] if one["line"] == GEMM_LINE)
    label = (await editor.labels(profiled))[GEMM_LINE]
    assert label == f"{plain}, {sample['share'] * 100:.0f} % · barrier"
    hover = await editor.hover(profiled, GEMM_LINE - 1, 18)
    assert f"**{sample['share'] * 100:.0f} %** of {answer['files'][0]['samples_total']:,} samples" in hover
    assert "mostly waiting: barrier" in hover


async def test_the_timeline_answers_from_what_is_attached(editor, profiled: str) -> None:
    await attach(editor, profiled, "gemm_stamps.json.gz")
    asked = {"uri": profiled, "kernel": GEMM}
    answer = await editor.client.protocol.send_request_async("tilescope/timeline", asked)
    assert [Path(one["file"]).name for one in answer["files"]] == ["gemm_stamps.json.gz"]
    assert answer["files"][0]["launches"][0]["recording"]["match"] == "exact"
    assert " % · wait" in (await editor.labels(profiled))[COPY_LINE]


async def test_without_profiles_the_heat_goes(editor, profiled: str) -> None:
    await attach(editor, profiled, "gemm_stamps.json.gz")
    assert "%" in (await editor.labels(profiled))[GEMM_LINE]
    await attach(editor, profiled)
    assert "%" not in (await editor.labels(profiled))[GEMM_LINE]
    asked = {"uri": profiled, "kernel": GEMM}
    answer = await editor.client.protocol.send_request_async("tilescope/timeline", asked)
    assert answer["schema"] == "tilescope.problem/1"


async def test_a_profile_that_cannot_be_read_is_one_message(editor, profiled: str) -> None:
    answer = await attach(editor, profiled, "nothing.json")
    assert answer["schema"] == "tilescope.problem/1"
    assert "nothing.json" in answer["message"]


async def test_untrusted_workspaces_attach_nothing(connect, tmp_path: Path) -> None:
    editor = await connect(options={"trusted": False})
    uri = (tmp_path / "gemm.py").as_uri()
    editor.open(uri, (TESTS / "kernels" / "profiled_kernels.py").read_text(encoding="utf-8"))
    answer = await attach(editor, uri, "gemm_stamps.json.gz")
    assert answer["schema"] == "tilescope.problem/1"
    assert "trusted workspaces only" in answer["message"]


async def test_lines_that_move_keep_their_share_and_say_that_the_text_is_another() -> None:
    heat = KernelHeat("a\nb\nc\n", {2: Hot(0.46, "barrier"), 3: Hot(0.1)}, "100 samples")
    moved = heat.on("new\na\nb\nother\n")
    assert moved.lines == {3: Hot(0.46, "barrier")}
    assert moved.stale
    assert not heat.on("a\nb\nc\n").stale


@pytest.mark.parametrize(
    ("longest", "said"),
    [
        (60, "→ wgmma m64n256k16, 46 % · long scoreboard"),
        (30, "→ wgmma m64n256k16, 46 %"),
        (20, "→ wgmma m64n2…, 46 %"),
    ],
)
async def test_labels_stay_within_their_length(longest: int, said: str) -> None:
    label = Label((Piece("→ "), Piece("wgmma m64n256k16", "definition")))
    found = with_heat(label, Hot(0.46, "long scoreboard"), Hints(max_length=longest))
    assert str(found) == said
    assert str(with_heat(None, Hot(0.001), Hints(max_length=12))) == "<1 %"
