"""Code actions: fixes that rules are sure of, and directives for arguments that nobody gave."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from tests.lsp.conftest import Editor

from tilescope_server.write_directive import directives_for
from tilescope_trace.model import Argument, Kernel, Options, Snapshot, Specialization
from tilescope_trace.source.plan import plan_file

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}
STAGES = (Path(__file__).parents[1] / "kernels" / "rules" / "num_stages_bad.py").read_text()


async def actions(
    editor: Editor,
    uri: str,
    line: int,
    at: types.Position | None = None,
    *,
    only: list[str] | None = None,
    suppress: bool = False,
) -> list[types.CodeAction | types.Command]:
    """What is offered on a 1-based line, or at a place of it; of comments that suppress, or all the rest."""
    at = at or types.Position(line - 1, 8)
    diagnostics = [one for one in editor.diagnostics(uri) if one.range.start.line == line - 1]
    found = await editor.client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            types.Range(at, at),
            types.CodeActionContext(diagnostics, only=only),  # type: ignore[arg-type]
        )
    )
    return [one for one in found or () if one.title.startswith("Suppress") == suppress]


def applied(text: str, action: types.CodeAction | types.Command) -> str:
    assert isinstance(action, types.CodeAction)
    assert action.edit is not None
    changes = action.edit.document_changes or []
    edits = [edit for one in changes for edit in one.edits]  # type: ignore[union-attr]
    edits += [edit for some in (action.edit.changes or {}).values() for edit in some]
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        before = "\n".join([*lines[: start.line], lines[start.line][: start.character]])
        after = "\n".join([lines[end.line][end.character :], *lines[end.line + 1 :]])
        lines = (before + edit.new_text + after).split("\n")  # type: ignore[union-attr]
    return "\n".join(lines)


async def test_assumed_values_can_be_written_down(editor: Editor, uri: str, gemm_text: str) -> None:
    text = gemm_text.replace("M=1024, N=1024", "M, N")
    editor.open(uri, text)
    kernel = (await editor.complete(uri))["facts"]["files"][0]["kernels"][0]
    values = {name: one["value"] for name, one in kernel["specialization"]["args"].items()}
    assert {name for name, one in kernel["specialization"]["args"].items() if one["origin"] == "assumed"} == {
        "M",
        "N",
    }
    (action,) = await actions(editor, uri, 6)
    assert action.title == "Write a directive for matmul.main with these values: M, N"
    after = applied(text, action)
    line = f"# tilescope: M={values['M']}, N={values['N']}"
    assert after.split("\n")[4:6] == [line, "@tilelang.jit"]
    editor.change(uri, after)
    assert (await editor.complete(uri))["facts"]["files"][0]["kernels"][0]["specialization"]["args"]["M"][
        "origin"
    ] == "directive"
    assert await actions(editor, uri, 7) == []


async def test_a_fix_of_a_rule_is_offered_where_its_finding_is(editor: Editor, uri: str) -> None:
    editor.open(uri, STAGES)
    await editor.complete(uri)
    first, second = sorted(editor.diagnostics(uri), key=lambda one: one.range.start.line)
    assert await actions(editor, uri, second.range.start.line + 1, second.range.start) == []
    (action,) = await actions(editor, uri, first.range.start.line + 1, first.range.start)
    assert isinstance(action, types.CodeAction)
    assert list(action.diagnostics or ()) == [first]
    assert action.is_preferred
    after = applied(STAGES, action)
    assert after == STAGES.replace("num_stages=-1", "num_stages=2")
    editor.change(uri, after)
    await editor.complete(uri)
    assert [one.code for one in editor.diagnostics(uri)] == ["TS321"]


async def test_a_finding_can_be_suppressed_with_a_reason(editor: Editor, uri: str) -> None:
    editor.open(uri, STAGES)
    await editor.complete(uri)
    first, second = sorted(editor.diagnostics(uri), key=lambda one: one.range.start.line)
    (action,) = await actions(editor, uri, first.range.start.line + 1, first.range.start, suppress=True)
    assert (action.title, list(action.diagnostics or ())) == ("Suppress TS321 here, with a reason", [first])
    after = applied(STAGES, action)
    line = after.split("\n")[first.range.start.line]
    assert line.endswith("num_stages=-1):  # tilescope: ignore[TS321] ")
    editor.change(uri, after.replace(line, line + "a test"))
    await editor.complete(uri)
    assert [one.range.start.line for one in editor.diagnostics(uri)] == [second.range.start.line]
    assert await actions(editor, uri, first.range.start.line + 1, first.range.start) == []


async def test_all_sure_fixes_are_made_at_once_where_a_client_asks(editor: Editor, uri: str) -> None:
    both = STAGES.replace("stages=-2", "other=-2").replace("num_stages=stages", "num_stages=-3")
    editor.open(uri, both)
    await editor.complete(uri)
    for kind in ("source", "source.fixAll", "source.fixAll.tilescope"):
        (action,) = await actions(editor, uri, 1, only=[kind])
        assert isinstance(action, types.CodeAction)
        assert action.kind == "source.fixAll.tilescope"
        assert applied(both, action) == both.replace("num_stages=-1", "num_stages=2").replace(
            "num_stages=-3", "num_stages=2"
        )
    assert await actions(editor, uri, 1, only=["source.fixAll.ruff"]) == []


async def test_nothing_is_offered_elsewhere_or_of_another_kind(editor: Editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text.replace("M=1024, N=1024", "M, N"))
    await editor.complete(uri)
    assert await actions(editor, uri, 1) == []
    assert await actions(editor, uri, 6, only=["source.organizeImports"]) == []
    assert len(await actions(editor, uri, 6, only=["quickfix"])) == 1


async def test_without_trust_the_missing_values_are_to_be_filled_in(connect, uri: str, gemm_text: str) -> None:
    editor = await connect("neovim", options=None)
    text = gemm_text.replace("M=1024, N=1024", "M, N")
    editor.open(uri, text)
    (action,) = await actions(editor, uri, 6)
    assert action.title == "Write a directive for matmul.main, to fill in: M, N"
    editor.change(uri, applied(text, action))
    assert (await editor.analysis(uri))["facts"]["files"][0]["findings"][0]["code"] == "TS006"


async def test_the_directive_goes_above_the_outermost_function_and_keeps_what_is_known() -> None:
    text = """\
import tilelang
import tilelang.language as T

class Kernels:
    @staticmethod
    @tilelang.jit
    def copy(M, dtype, N=4):
        @T.prim_func
        def main(A: T.Tensor((M, N), dtype)):
            with T.Kernel(1, threads=32):
                pass
        return main
"""
    (static,) = plan_file(Snapshot("k.py", text), Options()).statics
    arguments = {"M": Argument(8, "assumed"), "dtype": Argument("float16", "assumed"), "N": Argument(4, "default")}
    kernel = Kernel(
        static.name,
        static.qualname,
        static.line,
        "lazy",
        "c",
        "default",
        "lowered",
        "ok",
        Specialization("0", "assumed", arguments),
    )
    (new,) = directives_for([static, kernel, kernel], text)
    assert (new.line, new.text) == (5, "    # tilescope: M=..., dtype=...\n")
    (new,) = directives_for([kernel], text)
    assert (new.line, new.text, new.names) == (5, "    # tilescope: M=8, dtype=float16\n", ("M", "dtype"))
    assert (new.first, new.last) == (5, static.line)
    lines = text.splitlines(keepends=True)
    after = "".join([*lines[:4], new.text, *lines[4:]])
    plan = plan_file(Snapshot("k.py", after), Options())
    assert plan.findings == ()
    assert {n: (a.value, a.origin) for n, a in plan.statics[0].specialization.args.items()} == {
        "M": (8, "directive"),
        "dtype": ("float16", "directive"),
        "N": (4, "default"),
    }
