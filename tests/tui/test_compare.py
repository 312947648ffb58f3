"""Two recordings side by side."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.recordings import GEMM, INFO, TILES, Step
from tests.tui.conftest import Seen

from tilescope_passdiff.tui.app import TilescopeApp
from tilescope_passdiff.tui.screens.compare import CompareScreen
from tilescope_trace.store.read import open_recording

OTHER = (*GEMM[:5], Step("tl.LowerTileOp", GEMM[5].before, TILES.replace("T.unroll(64)", "T.unroll(32)")), GEMM[7])


class Comparing(Seen):
    @property
    def browser(self):
        return self.app.first


@asynccontextmanager
async def comparing(a, b, size=(130, 40)) -> AsyncIterator[Comparing]:
    with open_recording(a) as old, open_recording(b) as new:
        app = TilescopeApp(CompareScreen(old, new))
        async with app.run_test(size=size) as pilot:
            seen = Comparing(pilot, app)
            await seen.settle()
            yield seen


def two(make_recording):
    newer = dataclasses.replace(INFO, tilelang="0.1.16")
    return make_recording("old"), make_recording("new", OTHER, '#include <b.h>\nextern "C" void k() {\n}\n', newer)


async def test_environment_comes_first_then_the_first_divergence(make_recording):
    async with comparing(*two(make_recording)) as seen:
        assert "they differ · A old.tscope · B new.tscope" in seen.lines()[0]
        assert seen.line("entries", "▶").startswith("▶≠ versions")
        assert any("tilelang: 0.1.15" in line and "−" in line for line in seen.pane("text"))
        assert any("tilelang: 0.1.16" in line and "+" in line for line in seen.pane("text"))
        await seen.press("n")
        assert "tl.LowerTileOp" in seen.line("entries", "▶")
        assert seen.line("entries", "▶").endswith("◀ first")
        assert seen.title("text").endswith("A − against B + · constants only")
        assert any("T.unroll(32)" in line for line in seen.pane("text"))
        await seen.press("n")
        assert seen.line("entries", "▶").startswith("▶A 6 tl.Simplify#2")
        await seen.press("n")
        assert "generated source" in seen.line("entries", "▶"), "passes behind it that follow from it are passed over"
        await seen.press("p", "p", "p")
        assert "versions" in seen.line("entries", "▶")


async def test_passes_that_differ_in_constants_only_are_marked_and_passed_over():
    a, b = (Path(__file__).parents[1] / "data/profiles/h200" / f"gemm_k{k}.tscope" for k in (4100, 4104))
    for size in ((120, 36), (80, 24)):
        async with comparing(a, b, size) as seen:
            assert seen.line("entries", "─ passes").startswith("─ passes: 26 ≠, 15 ≈ const")
            await seen.press("n")
            assert re.match(r"▶≈ 0 pass_fn#1 .*◀ first", seen.line("entries", "▶"))
            assert seen.title("text").endswith("constants only")
            await seen.press("n")
            assert re.match(r"▶≠ 15 tl.Prod.*◀ first", seen.line("entries", "▶")), "constants alone are passed over"
            assert re.search(r"− +T\.copy", seen.line("text", "▷")), "the text begins at what is more than constants"
            await seen.press("j")
            assert seen.line("entries", "▶").startswith("▶≠ 16")
            assert "the pass did the same" in seen.title("text")
            await seen.press("n")
            assert seen.line("entries", "▶").startswith("▶≠ 19 tl.Simplify#2")


async def test_passes_are_aligned_and_the_generated_source_is_compared(make_recording):
    async with comparing(*two(make_recording)) as seen:
        assert seen.line("entries", "tl.LayoutInference").startswith(" = ")
        assert any(line.startswith(" A ") for line in seen.pane("entries")), "only A ran the pass inside"
        await seen.press("end")
        assert any("#include <b.h>" in line for line in seen.pane("text"))
        await seen.press("d", "f", "enter")
        assert seen.app.focused.id == "text"
        await seen.press("slash", *"include", "enter")
        assert "#include" in seen.line("text", "▶")
        await seen.press("escape", "escape")
        assert seen.app.focused.id == "entries"


async def test_the_same_recording_twice_is_the_same(make_recording):
    path = make_recording()
    async with comparing(path, path) as seen:
        assert "the compiler makes the same of both" in seen.lines()[0]
        assert seen.title("entries") == "Differences · none"
        assert "No difference." in "\n".join(seen.lines())
        await seen.press("n", "question_mark")
        assert "next / previous difference" in "\n".join(seen.lines())


async def test_layouts_that_differ_are_told(tmp_path):
    from tests.tui.lifelike import KERNEL, write_gemm

    one = write_gemm(tmp_path / "a.tscope")
    other = tmp_path / "b.tscope"
    buffers = tuple(dataclasses.replace(buffer, stages=2) for buffer in KERNEL.buffers[:1]) + KERNEL.buffers[1:]
    write_gemm(other, kernel=dataclasses.replace(KERNEL, buffers=buffers))
    async with comparing(one, other) as seen:
        await seen.press("n")
        assert "A_shared" in seen.line("entries", "▶")
        assert any("stages: 3" in line for line in seen.pane("text"))
        assert any("stages: 2" in line for line in seen.pane("text"))
