"""One selection through all panes: IR, Python, generated source, facts, and the passes that changed it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from tests.recordings import GEMM, INFO, SOURCE, text_hash, write_steps

from tilescope_passdiff.tui.life import Life, cell_of, sparkline, touches
from tilescope_passdiff.tui.selection import Selection
from tilescope_trace.model import Buffer, Finding, Launch, Layout, LayoutMap, MemoryUse, Origin, SourceFile
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated, GeneratedLine

SWIZZLED = Layout("shared", "Sw<2,4,3>", "64B", map=LayoutMap((128, 32), (4096,), ("i * 32 + (j ^ i % 4 * 8)",)))
KERNEL = dataclasses.replace(
    INFO.kernel,
    launch=Launch(grid=(8, 8), threads=128, memory=(MemoryUse("shared", 49152, 65536),), line=9),
    buffers=(
        Buffer("A_shared", 10, 9, (128, 32), "float16", "shared.dyn", 3, 24576, layout=SWIZZLED),
        Buffer("C_local", 11, 9, (128, 128), "float32", "local.fragment", 1, 65536),
    ),
    findings=(Finding("TS211", "warning", "gemm.py", 10, 9, 10, 17, "bank conflicts: 4 ways", help="pad the rows"),),
)
GENERATED = (
    '#include <a.h>\nextern "C" void main_kernel() {\n  tl::tma_load(A_shared, 1);\n  tl::gemm(A_shared);\n}\n'
)


@pytest.fixture
def gemm(tmp_path: Path) -> Recording:
    """The made-up GEMM: its copy and its gemm come from the lines of the texts they stand in."""
    path = tmp_path / "gemm.tscope"
    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile("gemm.py", SOURCE, text_hash(SOURCE)))
        write_steps(writer, GEMM)
        lines = (GeneratedLine(3, ((0, 17),), "producer"), GeneratedLine(4, ((0, 18),), "consumer"))
        writer.add(Generated(0, "cuda", GENERATED, ("/home/user/project/gemm.py",), lines))
        writer.finish(dataclasses.replace(INFO, kernel=KERNEL))
    with open_recording(path) as opened:
        yield opened


def test_touches_are_those_of_lines_and_buffers(gemm):
    found = dict(touches(gemm))
    labels = {gemm.passes[at].label for at, touched in found.items() if "A_shared" in touched}
    assert "tl.InjectSoftwarePipeline" in labels
    assert "tl.LowerTileOp" in labels
    assert "tirx.BindTarget" not in labels, "it adds a line and leaves the buffer as it was"
    assert all(at not in found or not found[at] for at, record in enumerate(gemm.passes) if not record.changed)


def test_life_adds_up_what_is_selected():
    life = Life()
    here, there = Origin("a.py", 1), Origin("a.py", 2)
    life.add(5, {here: 2, "A": 1})
    life.add(2, {here: 1, there: 4})
    assert life.of(Selection((here,))) == {2: 1, 5: 2}
    assert list(life.of(Selection((here, there))).items()) == [(2, 5), (5, 2)]
    assert life.of(Selection((here,), "A")) == {5: 1}, "a buffer is told by its own life"
    assert life.of(Selection()) == {}


def test_sparklines_fit_and_show_the_largest():
    assert sparkline({1: 8, 3: 1}, 4, 40) == "·█·▁"
    assert sparkline({1: 8, 3: 1}, 4, 2) == "█▁"
    assert sparkline({}, 4, 40) == ""
    assert cell_of(3, 4, 2) == 1


async def test_a_line_of_ir_marks_its_python_its_generated_lines_and_its_passes(gemm, watch):
    async with watch(gemm, size=(200, 50)) as seen:
        await seen.press("tab", "f", "slash", *"T.copy", "enter")
        row = seen.browser.text.row
        line = seen.browser.text.document.origins(row)[0].line
        assert seen.browser.source.strong == {line}
        assert f"gemm.py:{line}" in seen.lines()[-2]
        assert "changed by" in seen.lines()[-2]


async def test_a_generated_line_marks_its_python_and_its_ir(gemm, watch):
    async with watch(gemm, size=(200, 50)) as seen:
        await seen.press("f")
        seen.browser.generated.focus()
        await seen.press("home", "j", "j")
        assert seen.browser.source.strong == {17}
        assert {seen.browser.text.document.rows[row].new for row in seen.browser.text.linked} == {17}
        assert "producer" in seen.line("generated", "tma_load")
        seen.browser.source.focus()
        await seen.press("home", *["j"] * 17)
        assert seen.browser.generated.strong == {4}, "and the other way round"


async def test_a_buffer_of_the_facts_marks_all_about_it(gemm, watch):
    async with watch(gemm, size=(200, 60)) as seen:
        await seen.press("i", "f")
        seen.browser.facts.focus()
        await seen.press("slash", *"A_shared", "enter")
        assert seen.browser.selection == Selection((Origin("gemm.py", 10),), "A_shared")
        marked = [seen.browser.text.document.rows[row].text for row in seen.browser.text.linked]
        assert marked
        assert all("A_shared" in text for text in marked)
        assert seen.lines()[-2].strip().startswith("A_shared")


async def test_facts_tell_memory_beside_capacity_buffers_and_findings(gemm, watch):
    async with watch(gemm, size=(200, 60)) as seen:
        await seen.press("i")
        assert "48 KiB of 227 KiB (21%), 64 KiB before merging" in seen.line("facts", "before merging")
        assert "grid 8 × 8" in seen.line("facts", "launch")
        assert "TS211 bank conflicts: 4 ways" in seen.line("facts", "TS211")
        seen.browser.facts.focus()
        await seen.press("slash", *"A_shared", "enter", "enter")
        assert any("first bank of each 16 bytes" in line for line in seen.pane("facts"))
        await seen.press("enter")
        assert not any("first bank" in line for line in seen.pane("facts")), "Enter takes the picture away again"


async def test_o_and_braces_go_through_the_passes_that_changed_the_selection(gemm, watch):
    async with watch(gemm, size=(200, 50)) as seen:
        await seen.press("i")
        seen.browser.facts.focus()
        await seen.press("slash", *"A_shared", "enter", "o")
        assert seen.title("text").startswith("3 tl.InjectSoftwarePipeline")
        assert "A_shared" in seen.line("text", "▷"), "the cursor is at what it changed"
        await seen.press("right_curly_bracket")
        assert seen.title("text").startswith("4 tl.LayoutInference")
        await seen.press("left_curly_bracket")
        assert seen.title("text").startswith("3 tl.InjectSoftwarePipeline")
        assert seen.line("passes", "tl.LowerTileOp").startswith("◆")
        await seen.press("left_curly_bracket")
        assert seen.title("text").startswith("3 tl.Inject"), "there is no earlier one"


async def test_nothing_selected_has_no_history(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "home", "o", "h")
        assert seen.app.screen is seen.browser
