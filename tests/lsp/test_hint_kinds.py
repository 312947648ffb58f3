"""Inlay hints over stdio: kinds switched off, short limits, what labels lead to."""

from __future__ import annotations

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPTIONS = {"trusted": True}

KERNEL = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def scaled(M, N: int = 64, scale=2.0, block=64):
    @T.prim_func
    def main(X: T.Tensor((M, N), "float16"), Y: T.Tensor((1024, 64), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            # 核 😀
            tile = T.alloc_shared((block, N), "float16"); "é😀"
            T.copy(X[bx * block, 0], tile)
            for i, j in T.Parallel(block, N):
                tile[i, j] = tile[i, j] * scale
            T.copy(tile, Y[bx * block, 0])

    return main


kernel = scaled(1024, block=32)
"""


async def everything(editor, uri: str) -> dict[int, str]:
    """All labels of a line, by 1-based line."""
    found: dict[int, list[str]] = {}
    for hint in await editor.hints(uri):
        text = hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)
        found.setdefault(hint.position.line + 1, []).append(text)
    return {line: " ".join(texts) for line, texts in found.items()}


async def test_parameters_and_parallel_loops_say_what_the_text_does_not(editor, uri: str) -> None:
    editor.open(uri, KERNEL)
    await editor.complete(uri)
    shown = await everything(editor, uri)
    assert shown[6] == "= 1024 → 32"  # N and scale have what the text says
    assert shown[8] == "[1024,64] f16"  # of X only: Y's numbers stand there
    assert shown[13] == "→ vectors of 8"
    assert shown[11].startswith(": [32,64] f16 shared")


async def test_kinds_are_switched_off_one_by_one_and_labels_shortened(connect, uri: str, gemm_text: str) -> None:
    kinds = {"layout": False, "memory": False, "gemm": False, "launch": False, "parameter": False, "maxLength": 20}
    editor = await connect(options={"trusted": True, "hints": kinds})
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    assert await editor.labels(uri) == {
        10: ": [128,32] f16 sh ×3",
        11: ": [32,128] f16 sh ×3",
        12: ": [128,128] f32 frag",
        14: "3 stages, async, ws",
        15: "→ TMA load",
        16: "→ TMA load",
        18: "→ vector store 4B",
    }


async def test_pieces_of_a_label_lead_to_what_they_are_about_once_resolved(editor, uri: str, gemm_text: str) -> None:
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    (hint,) = await editor.hints(uri, 9, 10)
    assert [part.value for part in hint.label if part.location or part.command] == []
    assert hint.text_edits is None
    resolved = await editor.client.inlay_hint_resolve_async(hint)
    pieces = {part.value.strip(" :"): part for part in resolved.label}
    lines = {name: part.location.range.start.line for name, part in pieces.items() if part.location}
    assert lines == {"[128,32] f16": 9, "shared": 16, "×3": 13}
    command = pieces["⟨swz64⟩"].command
    assert command.command == "tilescope.showLayout"
    (subject,) = command.arguments
    subject = subject if isinstance(subject, dict) else vars(subject)
    assert (subject["uri"], subject["kernel"], subject["buffer"]) == (uri, "matmul.main", "A_shared")
    (copy,) = await editor.hints(uri, 14, 15)
    resolved = await editor.client.inlay_hint_resolve_async(copy)
    assert [part.location.range.start.line for part in resolved.label if part.location] == [9]


async def test_a_client_that_resolves_nothing_gets_links_at_once(connect, uri: str, gemm_text: str) -> None:
    editor = await connect("neovim@0.9.1")
    editor.open(uri, gemm_text)
    (hint,) = await editor.hints(uri, 9, 10)
    assert any(part.location for part in hint.label)


async def test_hints_of_the_last_good_text_stay_marked_while_a_kernel_does_not_compile(
    editor, uri: str, gemm_text: str
) -> None:
    editor.open(uri, gemm_text)
    await editor.complete(uri)
    wrong = gemm_text.replace("T.gemm(A_shared, B_shared, C_local)", "T.gemm(A_shared, nothing, C_local)")
    editor.change(uri, "# above\n" + wrong)
    await editor.complete(uri)
    labels = await editor.labels(uri)
    assert [one.range.start.line for one in editor.diagnostics(uri)] == [17]
    assert labels[11] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24K ~"
    assert labels[16] == "→ TMA load ~"
    assert {hint.data["version"] for hint in await editor.hints(uri, 10, 11)} == {1}
    editor.change(uri, gemm_text)
    await editor.complete(uri)
    assert not any("~" in label for label in (await editor.labels(uri)).values())


@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind)[:3])
async def test_hints_stand_behind_their_names_in_every_encoding(connect, uri: str, encoding) -> None:
    editor = await connect(encoding=encoding)
    text = KERNEL.replace("            tile = ", "            '核😀'; tile = ")
    editor.open(uri, text)
    (hint,) = [one for one in await editor.hints(uri) if one.position.line == 10]
    before = "            '核😀'; tile"
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert hint.position.character == units[encoding.value]
