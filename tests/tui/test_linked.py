"""One selection through all panes: IR, Python, generated source, facts, and the passes that changed it."""

from __future__ import annotations

from pathlib import Path

from tests.tui.lifelike import COPY, GEMM_CALL

from tilescope_passdiff.tui.life import Life, cell_of, sparkline, touches
from tilescope_passdiff.tui.selection import Selection
from tilescope_passdiff.tui.sources import Generated, Source
from tilescope_passdiff.tui.widgets.life_bar import life_text
from tilescope_trace.model import Origin
from tilescope_trace.provenance import Provenance
from tilescope_trace.store.read import open_recording

MEASURED = Path(__file__).parents[1] / "data" / "profiles" / "h200" / "gemm.tscope"


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
        await seen.press("p", "p", "f")
        seen.browser.generated.focus()
        await seen.press("home", "j", "j")
        assert seen.browser.source.strong == {COPY}
        assert {seen.browser.text.document.rows[row].new for row in seen.browser.text.linked} == {COPY}
        assert "producer" in seen.line("generated", "tma_load")
        seen.browser.source.focus()
        await seen.press("home", *["j"] * (GEMM_CALL - 1))
        assert seen.browser.generated.strong == {4}, "and the other way round"


async def test_a_python_line_leads_to_the_generated_line_that_does_what_it_says(watch):
    with open_recording(MEASURED) as recording:
        async with watch(recording, size=(200, 50)) as seen:
            generated, reached = seen.browser.generated, {}
            seen.browser.source.focus()
            for line in (12, 16, 17, 18, 20, 21, 22, 23, 24, 26, 27):
                seen.browser.source.move_to(line - 1)
                await seen.settle()
                reached[line] = generated.source.lines[generated.cursor].strip()
            starts = {
                12: 'extern "C"',
                16: "if (((int)threadIdx.x) < 128) {",
                17: "void* A_shared =",
                18: "void* B_shared =",
                20: "for (int i_1 = 0; i_1 < 32; ++i_1) {",
                21: "for (int ko = 0; ko < 64; ++ko) {",
                22: "tl::tma_load(A_desc",
                23: "for (int i = 0; i < 4; ++i) {",
                24: "tl::initialize_wgmma_descriptor",
                26: "float broadcast_var_1",
                27: "for (int i_4 = 0; i_4 < 64; ++i_4) {",
            }
            assert {line: reached[line].startswith(start) for line, start in starts.items()} == dict.fromkeys(
                starts, True
            )
            await seen.press("g", "g")
            row = seen.line("generated", "for (int i_4")
            assert row.startswith(("▷", "▶")), "it is in view when the pane is opened again"


def test_directives_and_braces_lead_only_for_want_of_others():
    lines = ("#pragma unroll", "{", "} else {", "barrier.wait();", "x = 1;", "y = 2;")
    here, there = Origin("a.py", 1), Origin("a.py", 2)
    origins = dict.fromkeys(range(1, 5), (here,)) | {5: (there, here), 6: (here, there)}
    places = Provenance(origins, None, {4: "barrier", 5: "consumer", 6: "consumer"})
    generated = Generated(Source("Generated", lines, ("",) * 6, "c"), places)

    def first(*among: int) -> int | None:
        return generated.foremost(among, here.__eq__)

    assert first() is None
    assert first(1, 2, 3) == 1
    assert first(1, 2, 3, 4) == 4
    assert first(4, 5) == 4, "a line that is first of all another one's comes behind"
    assert first(1, 2, 3, 4, 5, 6) == 6


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
        seen.browser.facts.focus()
        await seen.press("z")
        assert "48 KiB of 227 KiB (21%), 64 KiB before merging" in seen.line("facts", "before merging")
        assert "grid 8 × 8" in seen.line("facts", "launch")
        assert "TS211 bank conflicts: 4 ways" in seen.line("facts", "TS211")
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
        assert seen.title("text").startswith("5 tl.LowerTileOp")
        await seen.press("left_curly_bracket")
        assert seen.title("text").startswith("3 tl.InjectSoftwarePipeline")
        assert seen.line("passes", "tl.LowerTileOp").startswith("◆")
        assert seen.line("passes", "tl.LayoutInference").startswith(" ")
        await seen.press("left_curly_bracket")
        assert seen.title("text").startswith("3 tl.Inject"), "there is no earlier one"


async def test_nothing_selected_has_no_history(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "home", "o", "h")
        assert seen.app.screen is seen.browser


def test_the_sparkline_is_seen_beside_the_longest_name():
    selection = Selection((Origin("gemm.py", 26),))
    labels = ["tl.ProducerConsumerWarpSpecializedTiled#12"] * 90
    for width, named in ((76, True), (40, False)):
        line = life_text(selection, dict.fromkeys(range(1, 60, 4), 3), labels, 7, width, done=True).plain
        assert len(line) <= width
        assert "changed by 15 passes" in line
        assert ("first tl." in line) == named
        assert "█" in line
