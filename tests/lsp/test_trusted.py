"""A session over stdio with the real compiler in a worker."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}


async def test_compiled_hints_follow_an_edit_a_break_and_its_mending(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared 8 KiB"
    first = await editor.complete(uri)
    assert first["stage"] == "lowered"
    assert await editor.labels(uri) == {
        8: "[1024,1024] f16",
        9: "grid 8×8 · 128→256 threads · 48 KiB",
        10: ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB",
        11: ": [32,128] f16 shared ×3 ⟨swz128⟩ 24 KiB",
        12: ": [128,128] f32 fragment 128 regs/thread",
        14: "3 stages, async, warp-specialized",
        15: "→ TMA load",
        16: "→ TMA load",
        17: "→ wgmma m64n128k16",
        18: "→ vector store 4B",
    }
    assert editor.refreshes >= 1
    status = editor.status(uri)
    assert (status["mode"], status["stage"], status["worker"], status["message"]) == (
        "full",
        "lowered",
        "idle",
        "compiled",
    )

    version = editor.change(uri, gemm_text.replace("bK=32", "bK=64"))
    assert (await editor.labels(uri))[10] == ": [128,64] f16 shared 16 KiB"

    async def layouts_of_the_edit() -> bool:
        hint = next(hint for hint in await editor.hints(uri) if hint.position.line == 9)
        return hint.data["version"] == version and hint.data["stage"] in ("layouts", "lowered")

    await editor.until(layouts_of_the_edit)
    assert (await editor.labels(uri))[10] == ": [128,64] f16 shared ×3 ⟨swz128⟩ 48 KiB"

    broken = gemm_text.replace("T.gemm(A_shared, B_shared, C_local)", "T.gemm(A_shared, B_shared C_local")
    editor.change(uri, broken)
    labels = await editor.labels(uri)
    assert [item.range.start.line for item in editor.diagnostics(uri)] == [16]
    assert labels[12].startswith(": [128,128] f32 fragment")
    assert 17 not in labels

    editor.change(uri, gemm_text)
    await editor.complete(uri)
    assert editor.diagnostics(uri) == []
    assert (await editor.labels(uri))[17] == "→ wgmma m64n128k16"


async def test_a_compile_error_is_on_its_line_and_goes_when_mended(neovim, uri: str, gemm_text: str) -> None:
    editor = neovim
    editor.open(uri, gemm_text.replace("T.gemm(A_shared, B_shared, C_local)", "T.gemm(A_shared, nothing, C_local)"))
    await editor.complete(uri)
    (diagnostic,) = editor.diagnostics(uri)
    assert diagnostic.range.start.line == 16
    assert diagnostic.severity == types.DiagnosticSeverity.Error
    assert "nothing" in diagnostic.message
    editor.change(uri, gemm_text)
    await editor.complete(uri)
    assert editor.diagnostics(uri) == []


async def test_unresolved_arguments_are_a_hint_to_the_reader(editor, uri: str, gemm_text: str) -> None:
    editor.open(
        uri, gemm_text.replace("M=1024, N=1024", "M, N").replace("    @T.prim_func", "    M.none()\n    @T.prim_func")
    )
    await editor.complete(uri)
    (diagnostic,) = editor.diagnostics(uri)
    assert (diagnostic.code, diagnostic.severity) == ("TS003", types.DiagnosticSeverity.Hint)
    assert "M" in diagnostic.message


async def test_an_untitled_document_is_compiled(editor, gemm_text: str) -> None:
    editor.open("untitled:Untitled-1", gemm_text)
    assert (await editor.complete("untitled:Untitled-1"))["stage"] == "lowered"


async def test_a_kernel_that_hangs_delays_no_other_document(editor, gemm_text: str, tmp_path: Path) -> None:
    hanging, good = ((tmp_path / name).as_uri() for name in ("hang.py", "good.py"))
    editor.open(hanging, gemm_text + "\nwhile True:\n    pass\n")
    editor.open(good, gemm_text)
    line = gemm_text.splitlines()[16]
    answer = await asyncio.wait_for(editor.hover(good, 16, line.index("B_shared")), 20)
    assert "**`B_shared`**" in answer
    assert (await editor.complete(good))["stage"] == "lowered"
    assert not (await editor.analysis(hanging))["complete"]
    editor.change(hanging, gemm_text)
    assert (await editor.complete(hanging))["stage"] == "lowered"


@pytest.mark.parametrize(
    "crash", ["import os; os._exit(3)", "import os; os.abort()", "raise SystemExit", "print('x' * 10_000_000)"]
)
async def test_a_kernel_file_that_ends_its_process_or_floods_its_output_costs_only_its_own_facts(
    editor, uri: str, gemm_text: str, crash: str
) -> None:
    editor.open(uri, f"{gemm_text}\n{crash}\n")
    await editor.complete(uri)
    editor.change(uri, gemm_text)
    assert (await editor.complete(uri))["stage"] == "lowered"
    assert editor.diagnostics(uri) == []


async def test_a_missing_interpreter_is_named(connect, uri: str, gemm_text: str, tmp_path: Path) -> None:
    editor = await connect(options={"trusted": True, "interpreter": str(tmp_path / "none")})
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    assert str(tmp_path / "none") in editor.status(uri)["message"]
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared 8 KiB"


async def test_an_interpreter_without_tilelang_leaves_static_facts_and_says_so(
    connect, uri: str, gemm_text: str, tmp_path: Path
) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    editor = await connect(options={"trusted": True, "interpreter": str(bare)})
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    (diagnostic,) = editor.diagnostics(uri)
    assert (diagnostic.code, diagnostic.severity) == ("TS005", types.DiagnosticSeverity.Information)
    status = editor.status(uri)
    assert (status["mode"], status["worker"], status["interpreter"]) == ("static", "failed", str(bare))
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared 8 KiB"


async def test_saving_a_macro_file_brings_the_kernels_that_use_it_up_to_date(
    editor, gemm_text: str, tmp_path: Path
) -> None:
    macros, kernel = tmp_path / "tiles.py", tmp_path / "kernel.py"
    macros.write_text("BK = 32\n")
    text = gemm_text.replace(", bK=32", "").replace("    @T.prim_func", "    bK = tiles.BK\n\n    @T.prim_func")
    editor.open(kernel.as_uri(), "import tiles\n" + text)
    await editor.complete(kernel.as_uri())
    assert (await editor.labels(kernel.as_uri()))[13] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    macros.write_text("BK = 64\n")
    editor.client.text_document_did_save(
        types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(macros.as_uri()))
    )

    async def updated() -> bool:
        return (await editor.labels(kernel.as_uri())).get(13) == ": [128,64] f16 shared ×3 ⟨swz128⟩ 48 KiB"

    await editor.until(updated)
