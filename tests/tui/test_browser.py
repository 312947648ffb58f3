"""The browser as a person meets it: every key, through Textual's pilot."""

from __future__ import annotations

import pytest
from tests.recordings import Step

from tilescope_passdiff.tui.screens.help import Help
from tilescope_trace.store.read import open_recording


async def test_opens_on_the_first_changed_pass_with_its_diff(recording, watch):
    async with watch(recording) as seen:
        header, *_ = seen.lines()
        assert "matmul.main · cuda:sm_90a · ✓ ok · lowered in 166 ms · M=1024, dtype=f16" in header
        assert seen.title("text").startswith("1 tl.First")
        assert any("−         stmt_30 = T.step(30)" in line for line in seen.pane("text"))
        assert any("+         stmt_30 = T.step(31000)" in line for line in seen.pane("text"))
        assert "⋯ 29 unchanged lines" in seen.pane("text")[0]


async def test_the_list_shows_phases_nesting_marks_and_counts(recording, watch):
    async with watch(recording) as seen:
        assert seen.title("passes") == "Passes · 3 changed · 4 hidden"
        await seen.press("c")
        rows = seen.pane("passes")
        assert rows[0].startswith("─ before pipeline_cuda ─")
        assert rows[2].startswith("─ pipeline_cuda ─")
        assert rows[-2].startswith("─ after pipeline_cuda ─")
        assert seen.line("passes", "tl.Check").startswith(" · ")
        assert seen.line("passes", "tl.First").startswith("▶● ")
        assert seen.line("passes", "tl.First").endswith("+1 −1")
        assert seen.line("passes", "tl.Outer").endswith("+2 −3")
        assert "   tl.Inner " in seen.line("passes", "tl.Inner")
        assert seen.line("passes", "tl.Idle#2").startswith(" · ")
        assert seen.title("passes") == "Passes · 3 of 7 changed"


async def test_j_and_k_move_through_all_passes_and_skip_headings(recording, watch):
    async with watch(recording) as seen:
        await seen.press("c", "j")
        assert seen.title("text").startswith("2 tl.Idle#1")
        assert "left the IR as it was" in str(seen.browser.query_one("#notice").visual)
        await seen.press("k", "k")
        assert seen.title("text").startswith("0 tl.Check")
        await seen.press("up")
        assert seen.title("text").startswith("0 tl.Check")
        await seen.press("end")
        assert seen.title("text").startswith("6 tl.Codegen")
        await seen.press("home", "down")
        assert seen.title("text").startswith("1 tl.First")


async def test_n_and_p_go_to_changed_passes_from_any_pane(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "n")
        assert seen.title("text").startswith("3 tl.Outer")
        await seen.press("n")
        assert seen.title("text").startswith("4 tl.Inner")
        await seen.press("n")
        assert seen.title("text").startswith("4 tl.Inner"), "there is no further one"
        await seen.press("p", "p")
        assert seen.title("text").startswith("1 tl.First")


async def test_tab_and_enter_change_the_pane_and_escape_goes_back(recording, watch):
    async with watch(recording) as seen:
        assert seen.app.focused.id == "passes"
        await seen.press("tab")
        assert seen.app.focused.id == "text"
        await seen.press("tab")
        assert seen.app.focused.id == "source"
        await seen.press("shift+tab")
        assert seen.app.focused.id == "text"
        await seen.press("escape")
        assert seen.app.focused.id == "passes"
        await seen.press("enter")
        assert seen.app.focused.id == "text"


async def test_f_shows_the_whole_text_and_keeps_the_place(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "f")
        assert not any("unchanged" in line for line in seen.pane("text"))
        assert seen.line("text", "▶").endswith("−         stmt_30 = T.step(30)")
        await seen.press("home")
        assert seen.pane("text")[0].endswith("class Module:")
        await seen.press("f")
        assert seen.pane("text")[0].endswith("⋯ 29 unchanged lines")


async def test_enter_unfolds_one_fold(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "home", "enter")
        assert any(line.endswith("class Module:") for line in seen.pane("text"))
        await seen.press("end")
        assert any("unchanged lines" in line for line in seen.pane("text")), "the other fold stays"


async def test_brackets_jump_between_changes(recording, watch):
    async with watch(recording) as seen:
        await seen.press("n", "tab")
        changes = []
        for key in ("right_square_bracket", "right_square_bracket", "left_square_bracket", "left_square_bracket"):
            changes.append(seen.line("text", "▶"))
            await seen.press(key)
        assert [change.split("stmt_")[1] for change in changes] == [
            "5 = T.step(5)",
            "50 = T.step(50)",
            "50 = T.step(50)",
            "5 = T.step(5)",
        ]


async def test_search_finds_in_folded_text_and_steps(recording, watch):
    async with watch(recording) as seen:
        await seen.press("slash", *"step_4")
        assert seen.lines()[-2].split() == ["/step_4", "no", "match"]
        for _ in range(6):
            await seen.press("backspace")
        await seen.press(*"stmt_4")
        assert seen.lines()[-2].rstrip().endswith("2 of 11"), "the first one at or after the cursor"
        await seen.press("down", "up", "enter")
        assert seen.app.focused.id == "text"
        assert "stmt_40" in seen.line("text", "▶")
        await seen.press("greater_than_sign")
        assert "stmt_41" in seen.line("text", "▶")
        await seen.press("less_than_sign", "less_than_sign")
        assert seen.lines()[-1].strip().startswith("“stmt_4” 1 of 11  j/k move")
        assert "stmt_4 " in seen.line("text", "▶")
        await seen.press("n")
        assert seen.lines()[-1].strip().startswith("“stmt_4” 11 times"), "the search stays for the next pass"
        await seen.press("escape")
        assert "stmt_4" not in seen.title("text")


async def test_escape_while_searching_forgets_the_search(recording, watch):
    async with watch(recording) as seen:
        await seen.press("slash", *"stmt", "escape")
        assert "stmt" not in seen.title("text")
        assert seen.app.focused.id == "text"
        await seen.press("slash")
        assert seen.app.focused.value == ""


async def test_keys_typed_into_the_search_are_text(recording, watch):
    async with watch(recording) as seen:
        await seen.press("slash", *"qnpg?")
        assert seen.app.focused.value == "qnpg?"
        assert seen.title("text").startswith("1 tl.First")


async def test_c_lists_changed_passes_only(recording, watch):
    async with watch(recording) as seen:
        await seen.press("c", "j", "c")
        assert [row.split()[-3] for row in seen.pane("passes") if "tl." in row] == [
            "tl.First",
            "tl.Outer",
            "tl.Inner",
        ]
        assert seen.title("text").startswith("3 tl.Outer"), "the pass that is no longer listed gives way"
        await seen.press("c")
        assert seen.line("passes", "tl.Outer").startswith("▶")


async def test_the_source_follows_the_ir(recording, watch):
    async with watch(recording) as seen:
        assert seen.title("source") == "gemm.py · line 13"
        assert seen.line("source", "▶").split()[:2] == ["▶13", "step_13"]
        assert seen.line("source", "│").startswith("│12  step_12"), "the context in view comes from here"
        await seen.press("tab", "home")
        assert seen.title("source") == "gemm.py · no line known here"


async def test_the_ir_follows_the_source(recording, watch):
    async with watch(recording) as seen:
        await seen.press("f", "tab", "tab", "home", *["j"] * 11)
        assert seen.title("source") == "gemm.py · line 12 became 10 of the IR lines"
        await seen.press("enter")
        assert "stmt_20" in seen.line("text", "▷")
        await seen.press("enter")
        assert "stmt_21" in seen.line("text", "▷")
        assert "◆" in seen.line("text", "stmt_22")
        await seen.press("shift+tab")
        assert not any("◆" in line for line in seen.pane("text"))


async def test_r_hides_renumbered_names(recording, watch):
    async with watch(recording) as seen:
        await seen.press("n", "n")
        assert any("T.inner(5)" in line for line in seen.pane("text"))
        await seen.press("r")
        assert seen.title("text").endswith("renumbering hidden")
        assert any("T.inner(5)" in line for line in seen.pane("text")), "it is no number of a name"
        await seen.press("r")
        assert "renumbering" not in seen.title("text")


async def test_a_source_that_changed_since_is_named(changed_recording, watch):
    async with watch(changed_recording) as seen:
        assert seen.title("source") == "gemm.py · line 13 · as recorded, the file differs now"
        assert seen.line("source", "▶").startswith("▶13  step_13"), "shown is what was recorded"


async def test_s_hides_the_source(recording, watch):
    async with watch(recording) as seen:
        before = len(seen.browser.query_one("#text").in_view())
        await seen.press("tab", "tab", "s")
        assert not seen.browser.query_one("#source").display
        assert seen.app.focused.id == "text"
        await seen.press("f")
        assert len(seen.browser.query_one("#text").in_view()) > before
        await seen.press("s")
        assert seen.browser.query_one("#source").display


async def test_help_names_every_key_and_closes(recording, watch):
    async with watch(recording) as seen:
        await seen.press("question_mark")
        assert isinstance(seen.app.screen, Help)
        text = "\n".join(seen.lines())
        assert "next / previous changed pass" in text
        await seen.press("escape")
        assert seen.app.screen is seen.browser


async def test_q_quits_with_0(recording, watch):
    async with watch(recording) as seen:
        await seen.pilot.press("q")
        await seen.pilot.pause()
        assert not seen.app.is_running
        assert seen.app.return_code == 0


async def test_sideways(recording, watch):
    async with watch(recording, size=(80, 24)) as seen:
        await seen.press("tab", "f", "home", "right", "right")
        text = seen.browser.query_one("#text")
        assert text.scroll_offset.x == 0, "nothing is wider than the pane"
        seen.browser.query_one("#source").focus()
        await seen.press("right")
        assert "‹" in seen.pane("source")[0]
        await seen.press("left")
        assert "‹" not in seen.pane("source")[0]


async def test_pages(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "f", "home", "pagedown")
        text = seen.browser.query_one("#text")
        assert text.cursor == len(text.in_view()) - 1
        await seen.press("space", "pageup", "pageup")
        assert text.cursor == 0


async def test_mouse(recording, watch):
    async with watch(recording) as seen:
        passes = seen.browser.query_one("#passes")
        row = next(y for y in range(20) if "tl.Outer" in passes.render_line(y).text)
        await seen.pilot.click("#passes", offset=(5, row + 1))
        await seen.settle()
        assert seen.title("text").startswith("3 tl.Outer")
        await seen.pilot.click("#text", offset=(9, 1), times=2)
        await seen.settle()
        assert seen.app.focused.id == "text"
        assert any(line.endswith("class Module:") for line in seen.pane("text")), "a second click unfolds"
        footer = seen.lines()[-1]
        await seen.pilot.click("#footer", offset=(footer.index("? help"), 0))
        await seen.settle()
        assert isinstance(seen.app.screen, Help)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (200, 60), (300, 100), (40, 12)])
async def test_fits_any_size(recording, watch, size):
    async with watch(recording, size=size) as seen:
        lines = seen.lines()
        assert len(lines) == size[1]
        assert all(len(line) == size[0] for line in lines)
        assert "j/k move" in lines[-1]
        assert seen.pane("text")
        assert seen.pane("passes")
        assert len(seen.pane("source")) >= 3


async def test_the_selected_pass_is_in_view_from_the_start_and_after_resizing(failed_recording, watch):
    async with watch(failed_recording, size=(80, 9)) as seen:
        assert seen.line("passes", "▶").startswith("▶✗ tl.Outer")
        await seen.pilot.resize_terminal(100, 7)
        await seen.settle()
        assert seen.line("passes", "▶").startswith("▶✗ tl.Outer")


async def test_a_failed_pass_is_where_it_opens_with_error_input_and_source_mark(failed_recording, watch):
    async with watch(failed_recording) as seen:
        assert "✗ failed in tl.Outer" in seen.lines()[0]
        assert seen.line("passes", "tl.Outer").startswith("▶✗")
        assert seen.line("passes", "tl.Outer").endswith("failed")
        assert "tl.Outer failed. layouts [conflict]" in "\n".join(seen.lines())
        assert any("stmt_0" in line for line in seen.pane("text")), "the input of the failed pass"
        assert seen.line("source", "✗").startswith(" 13✗ step_13")
        assert seen.line("source", "✗").endswith("✗ layouts [conflict]")


async def test_damage_is_one_message_where_it_is_and_the_rest_can_be_read(damaged_recording, watch):
    async with watch(damaged_recording) as seen:
        notice = seen.browser.query_one("#notice")
        assert "damaged.tscope" in str(notice.visual)
        assert "checksum" in str(notice.visual)
        assert notice.region.y == seen.browser.query_one("#text").region.bottom, "right under the title"
        assert seen.pane("text") == []
        await seen.press("c", "home")
        assert seen.title("text").startswith("0 tl.Check")
        assert "unchanged lines" in seen.pane("text")[0]


async def test_a_recording_without_passes_says_why(empty_recording, watch):
    async with watch(empty_recording) as seen:
        notice = str(seen.browser.query_one("#notice").visual)
        assert "holds no passes and no generated source" in notice
        assert "name 'block_M' is not defined" in notice
        await seen.press("j", "n", "p", "c", "f", "g", "g", "right_square_bracket", "tab", "j", "enter", "end")
        assert seen.app.is_running


async def test_without_colour_marks_signs_and_underlines_say_it(recording, watch, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with watch(recording) as seen:
        text = seen.browser.query_one("#text")
        lines = [text.render_line(y) for y in range(10)]
        changed = next(line for line in lines if "31000" in line.text)
        assert [segment.text for segment in changed if segment.style.underline] == ["31000"]
        assert "+         stmt_30" in changed.text


async def test_without_colour_no_background_is_painted(recording, watch, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with watch(recording) as seen:
        await seen.press("slash", "s")
        painted = {
            (segment.style.color, segment.style.bgcolor)
            for line in seen.lines_drawn()
            for segment in line
            if segment.style is not None
        }
        assert {colour.name for pair in painted for colour in pair if colour is not None} <= {"default"}


async def test_at_the_smallest_size_the_count_of_a_search_is_seen(recording, watch):
    async with watch(recording, size=(80, 24)) as seen:
        await seen.press("tab", "slash", *"stmt_4")
        assert seen.lines()[-2].rstrip().endswith("of 11")
        await seen.press(*"zz")
        assert seen.lines()[-2].rstrip().endswith("no match")
        await seen.press("enter")
        assert seen.lines()[-1].strip().startswith("“stmt_4zz” no match  j/k move")
        await seen.press("escape")
        assert seen.lines()[-1].strip().startswith("j/k move")


async def test_a_search_without_match_leaves_the_text_where_it_was(make_recording, watch):
    wide = "x = 1\n" + "    y = " + " + ".join(f"term_{n}" for n in range(60)) + " + zz"
    steps = (Step("tl.Wide", wide, wide.replace("x = 1", "x = 2")),)
    with open_recording(make_recording(steps=steps)) as recording:
        async with watch(recording, size=(80, 24)) as seen:
            text = seen.browser.query_one("#text")
            await seen.press("tab", "slash", *"zz")
            assert text.scroll_offset.x > 0
            await seen.press("z", "enter")
            assert (text.scroll_offset.x, text.row) == (0, 0)


async def test_texts_cannot_steer_the_terminal(hostile_recording, watch):
    async with watch(hostile_recording, size=(200, 60)) as seen:
        await seen.press("f", "i", "d")
        shown = "\n".join(seen.lines())
        assert "\x1b" not in shown
        assert "\x9b" not in shown
        assert "␛[2J" in shown
        assert "[red]" in seen.lines()[0], "no markup in names either"
