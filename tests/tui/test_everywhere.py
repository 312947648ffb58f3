"""The search of all passes."""

from __future__ import annotations

from tilescope_passdiff.tui.everywhere import everywhere, order, total
from tilescope_passdiff.tui.screens.search_all import SearchAll
from tilescope_passdiff.tui.search import Query


def test_this_pass_the_last_and_near_ones_come_first_and_each_once():
    assert list(order(6, 2)) == [2, 5, 3, 1, 4, 0]
    assert list(order(3, 2)) == [2, 1, 0]
    assert list(order(1, 0)) == [0]


def test_counts_per_pass_and_what_it_brought(recording):
    found = [one for one in everywhere(recording, Query("T.outer"), 0) if one is not None]
    told = {recording.passes[one.position].label: (one.count, one.came) for one in found}
    assert told == {"tl.Outer": (1, 1), "tl.Idle#2": (1, 0), "tl.Codegen": (1, 0)}
    assert {one.preview for one in found} == {"stmt_51 = T.outer()"}
    assert total(found) == "3 places in 3 passes"


def test_a_pass_that_takes_the_last_one_away_is_told(recording):
    found = {one.position: one for one in everywhere(recording, Query("stmt_50 "), 0) if one is not None}
    outer = next(at for at, record in enumerate(recording.passes) if record.name == "tl.Outer")
    assert (found[outer].count, found[outer].came) == (0, -1)


def test_generated_source_patterns_and_damage(recording, damaged_recording):
    (found,) = (one for one in everywhere(recording, Query(r"#include\s+<", regex=True), 0) if one is not None)
    assert (found.position, found.first, found.preview) == (None, 1, "#include <cuda.h>")
    problems = [one.problem for one in everywhere(damaged_recording, Query("stmt_1"), 0) if one and one.problem]
    assert problems
    assert all("checksum" in problem for problem in problems)


async def test_S_lists_passes_and_goes_to_the_place(recording, watch):
    async with watch(recording) as seen:
        await seen.press("S", *"outer")
        assert isinstance(seen.app.screen, SearchAll)
        shown = "\n".join(seen.lines())
        assert "3 places in 3 passes" in shown
        assert "tl.Outer" in shown
        await seen.press("down", "up", "enter")
        assert seen.title("text").startswith("3 tl.Outer")
        assert "T.outer()" in seen.line("text", "▶")
        assert seen.lines()[-1].strip().startswith("“outer” 1 of 1"), "the search goes on in the text"


async def test_it_takes_patterns_tells_mistakes_and_closes(recording, watch):
    async with watch(recording) as seen:
        await seen.press("S", "ctrl+r", *"stmt_[34]9")
        assert "by regular expression" in "\n".join(seen.lines())
        assert "in 7 passes" in "\n".join(seen.lines())
        await seen.press("left_square_bracket")
        assert "no pattern" in "\n".join(seen.lines())
        await seen.press("escape")
        assert seen.app.screen is seen.browser


async def test_a_place_in_the_generated_source_opens_its_pane(recording, watch):
    async with watch(recording) as seen:
        await seen.press("S", *"include", "enter")
        assert seen.shown("generated")
        assert seen.app.focused.id == "generated"
        assert "#include" in seen.line("generated", "cuda.h")
