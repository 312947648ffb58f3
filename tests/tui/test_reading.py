"""How a text is read: panes beside it, two columns, filters, patterns, colours, the clipboard, the palette."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tilescope_passdiff.tui.document import Document, Row
from tilescope_trace.store.read import open_recording


async def test_g_shows_and_hides_the_generated_source(recording, watch):
    async with watch(recording) as seen:
        assert not seen.shown("generated"), "there is room for one companion"
        await seen.press("g")
        assert seen.shown("generated")
        assert not seen.shown("source")
        assert seen.title("generated") == "Generated source (cuda)"
        assert any("#include <cuda.h>" in line for line in seen.pane("generated"))
        await seen.press("g")
        assert seen.shown("source")
        await seen.press("s")
        assert not seen.shown("source")


async def test_wide_terminals_show_both_sources_at_the_right(recording, watch):
    async with watch(recording, size=(200, 50)) as seen:
        assert seen.shown("source")
        assert seen.shown("generated")
        text, source = (seen.browser.query_one(f"#{name}").region for name in ("text", "source"))
        assert source.x == text.right
        await seen.press("i")
        assert all(map(seen.shown, ("source", "generated", "facts")))


async def test_d_shows_old_and_new_beside_each_other(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "d")
        line = seen.line("text", "31000")
        assert line.index("T.step(30)") < line.index("│") < line.index("T.step(31000)")
        assert "▶" in line
        await seen.press("d")
        assert "T.step(30)" not in seen.line("text", "31000")


async def test_z_shows_one_pane_alone(recording, watch):
    async with watch(recording, size=(80, 24)) as seen:
        await seen.press("z")
        assert seen.shown("passes")
        assert not seen.shown("text")
        assert any("1 line rewritten" in line for line in seen.pane("passes")), "there is room to say what each did"
        await seen.press("enter")
        assert seen.shown("text")
        assert seen.app.focused.id == "text"
        await seen.press("z")
        assert not seen.shown("passes")
        await seen.press("escape")
        assert seen.shown("passes")


async def test_l_filters_the_passes(recording, watch):
    async with watch(recording) as seen:
        await seen.press("c", "l", *"otr")
        assert [row.split()[-3] for row in seen.pane("passes") if "tl." in row] == ["tl.Outer"]
        assert seen.title("text").startswith("3 tl.Outer")
        assert seen.lines()[-2].rstrip().endswith("1 of 7")
        await seen.press("enter")
        assert seen.app.focused.id == "passes"
        assert "tl.Check" not in "".join(seen.pane("passes"))
        await seen.press("l", "escape")
        assert "tl.Check" in "".join(seen.pane("passes"))
        await seen.press("l", *"idle", "down")
        assert seen.title("text").startswith("5 tl.Idle#2")


async def test_search_by_regular_expression(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "slash", "ctrl+r", *r"stmt_3\d")
        assert seen.lines()[-2].split()[0].startswith(".*")
        assert seen.lines()[-2].rstrip().endswith("of 11")
        await seen.press("backspace", "backspace", "left_parenthesis")
        assert "no pattern" in seen.lines()[-2]
        await seen.press("escape")


async def test_the_focused_pane_is_searched(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "tab", "slash", *"step_20", "enter")
        assert seen.app.focused.id == "source"
        assert "step_20" in seen.line("source", "20")


async def test_copy_takes_the_line_or_the_hunk(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "y")
        assert seen.app.clipboard == "        stmt_30 = T.step(30)"
        await seen.press("Y")
        hunk = seen.app.clipboard.split("\n")
        assert hunk[0] == "@@ -30,7 +30,7 @@"
        assert [line for line in hunk if line[0] in "+-"] == [
            "-        stmt_30 = T.step(30)",
            "+        stmt_30 = T.step(31000)",
        ]


async def test_the_palette_does_what_keys_do_and_goes_to_passes(recording, watch):
    async with watch(recording) as seen:
        await seen.press("colon", *"Codegen", "enter")
        assert seen.title("text").startswith("6 tl.Codegen")
        await seen.press("ctrl+p", *"previous changed", "enter")
        assert seen.title("text").startswith("4 tl.Inner")


async def test_what_a_pass_did_is_told_under_its_text(recording, watch):
    async with watch(recording) as seen:
        assert "1 line rewritten" in str(seen.browser.query_one("#told").visual)


async def test_bars_tell_the_time_of_each_pass(recording, watch):
    async with watch(recording, size=(160, 40)) as seen:
        assert seen.line("passes", "tl.Inner").endswith("████")
        assert seen.line("passes", "tl.Outer").endswith("−3"), "all its time is that of the pass inside it"


async def test_t_goes_through_the_colours_and_they_are_remembered(recording, watch):
    async with watch(recording) as seen:
        backgrounds = []
        for _ in range(4):
            first = next(iter(seen.browser.query_one("#text").render_line(0)))
            backgrounds.append(first.style.bgcolor.get_truecolor().red)
            await seen.press("t")
        dark, light, contrast, dark_again = backgrounds
        assert 0 < dark == dark_again < 60
        assert light > 200
        assert contrast == 0
        assert seen.app.theme == "tilescope-light"
    async with watch(recording) as seen:
        assert seen.app.theme == "tilescope-light"


async def test_a_search_that_began_further_down_in_a_longer_text_goes_on(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "f", "end", "slash")
        seen.browser.become(replace(seen.browser.state, selected=0))
        await seen.settle()
        seen.browser.text.show(Document("short", (Row(" ", 1, 1, "one"),)), full=True, split=False)
        await seen.press("ctrl+r", *"nothing")
        assert "one" in seen.line("text", "one")


@pytest.mark.parametrize("pattern", ["(a+)+b", "a{4000000000}"])
async def test_a_hostile_pattern_is_told_where_it_is_typed(gemm, watch, pattern):
    async with watch(gemm, size=(140, 40)) as seen:
        seen.browser.text.show(Document("long", (Row(" ", 1, 1, "a" * 5000),)), full=True, split=False)
        await seen.press("slash", "ctrl+r", *pattern)
        told = "takes too long" if "+" in pattern else "no pattern: it repeats"
        assert any(told in line for line in seen.lines())
        await seen.press("escape")
        assert seen.browser.text.matches == ()


async def test_lines_of_wide_characters_are_searched_and_scrolled_by_cells(recording, watch):
    text = "x = '" + "编译器" * 60 + "END'"
    async with watch(recording, size=(80, 24)) as seen:
        pane = seen.browser.text
        pane.show(Document("wide", (Row("+", None, 1, text, ((185, 188),)),)), full=True, split=False)
        await seen.press("tab", "slash", *"END", "enter")
        assert "END'" in seen.line("text", "编译器")
        await seen.press("home", *["left"] * 60)
        assert "x = '" in seen.line("text", "编译器")
        await seen.press(*["right"] * 60)
        assert "END'" in seen.line("text", "编译器")


async def test_a_list_too_narrow_for_what_is_hidden_counts_in_short(gemm, watch):
    async with watch(gemm, size=(120, 40)) as seen:
        assert "━ Passes · 5 changed · 3 hidden ━" in seen.lines()[1]
    async with watch(gemm, size=(80, 24)) as seen:
        assert "━ Passes · 5 of 8 changed ━" in seen.lines()[1]
        await seen.press("l", *"simp", "enter")
        assert "━ 5 of 8 changed · 'simp' ━" in seen.lines()[1]


def told_of(seen):
    """The lines below the text that tell of the pass, as they stand on the screen."""
    region = seen.browser.query_one("#told").region
    return [line[region.x : region.right].strip() for line in seen.lines()[region.y : region.bottom]]


async def test_what_is_told_of_a_pass_says_where_it_is_cut(gemm, watch):
    async with watch(gemm, size=(120, 40)) as seen:
        told = told_of(seen)
        assert told[0] == "A_shared given a layout"
        assert len(told) == 4
        assert told[-1].endswith(" …")
        await seen.pilot.resize_terminal(240, 60)
        await seen.settle()
        wide = told_of(seen)
        assert " ".join(wide).startswith(" ".join(told).removesuffix(" …")), "folded anew, and more of it"
        assert len(" ".join(wide)) > len(" ".join(told))


async def test_warnings_are_no_errors_beside_their_line(gemm, watch):
    async with watch(gemm, size=(140, 40)) as seen:
        line = seen.line("source", "bank conflicts")
        assert line.lstrip().startswith("10! ")
        assert "! bank conflicts" in line
        assert "✗" not in "\n".join(seen.pane("source"))


async def test_the_source_opens_on_the_kernel(watch):
    with open_recording(Path(__file__).parents[1] / "data/profiles/h200/gemm.tscope") as recording:
        async with watch(recording, size=(80, 24)) as seen:
            assert recording.info.kernel.line == 11
            assert any("def gemm_relu(" in line for line in seen.pane("source"))


async def test_two_narrow_columns_show_what_changed(gemm, watch):
    async with watch(gemm, size=(80, 24)) as seen:
        await seen.press("n", "n", "d")
        row = seen.line("text", "▷")
        assert "32 + 32" in row
        assert "64" in row


async def test_a_fold_stays_in_view_when_the_text_is_scrolled_sideways(gemm, watch):
    async with watch(gemm, size=(80, 24)) as seen:
        await seen.press("n", "n", "tab", "right_square_bracket")
        assert seen.browser.text.scroll_offset.x > 0
        assert any("unchanged lines" in line for line in seen.pane("text"))
