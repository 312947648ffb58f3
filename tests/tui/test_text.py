"""Search, syntax, painting and colours of single lines."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tilescope_passdiff.tui import fuzzy, search
from tilescope_passdiff.tui.paint import clean, filled, lines_of, paint, shorten, shortened
from tilescope_passdiff.tui.palette import CONTRAST, PALETTES, prefers_light
from tilescope_passdiff.tui.search import Match, Query
from tilescope_passdiff.tui.sources import same_file
from tilescope_passdiff.tui.syntax import carried, spans


def kinds(line: str, language: str, inside: str = "") -> list[tuple[str, str]]:
    return [(line[start:end], kind) for start, end, kind in spans(line, language, inside)[0]]


def test_ir_syntax():
    assert kinds('for k in T.serial(32, x="a\\"b"):  # 3', "python") == [
        ("for", "keyword"),
        ("in", "keyword"),
        ("T.serial", "builtin"),
        ("32", "number"),
        ('"a\\"b"', "string"),
        ("# 3", "comment"),
    ]
    assert kinds("A_1 = C_local_32[0]", "python") == [("0", "number")], "digits in names are no numbers"


def test_generated_source_syntax():
    assert kinds("  #include <a> // b", "c") == [("  #include", "keyword"), ("// b", "comment")]
    assert kinds("tl::mma_sync(1.5f, 0x1F)", "c") == [
        ("tl::mma_sync", "builtin"),
        ("1.5f", "number"),
        ("0x1F", "number"),
    ]


def test_what_spans_lines_is_carried():
    text = ['a = """one', "def", 'two""" + 3', "# it's", "b = 1"]
    states = carried(text, "python")
    assert states == ("", '"""', '"""', "", "")
    assert kinds(text[1], "python", states[1]) == [("def", "string")]
    assert kinds(text[2], "python", states[2]) == [('two"""', "string"), ("3", "number")]


@given(st.text(max_size=80), st.sampled_from(["python", "c"]), st.sampled_from(["", "'''", '"""', "/*"]))
def test_spans_are_sorted_and_disjoint(line, language, inside):
    found, _ = spans(line, language, inside if language == "python" or inside == "/*" else "")
    ends = [0, *itertools.chain.from_iterable((start, end) for start, end, _ in found), len(line)]
    assert ends == sorted(ends)


ranges = st.lists(st.integers(0, 30), max_size=8, unique=True).map(
    lambda cuts: [(a, b) for a, b in zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)]
)


@given(st.text(alphabet="abc", max_size=25), ranges, ranges)
def test_painting_keeps_the_text_and_lays_spans_over(text, lower, upper):
    bold, red = Style(bold=True), Style(color="red")
    segments = paint(text, Style(), ([(a, b, bold) for a, b in lower], [(a, b, red) for a, b in upper]))
    assert "".join(segment.text for segment in segments) == text
    seen = [segment.style for segment in segments for _ in segment.text]
    for at, style in enumerate(seen):
        assert bool(style.bold) == any(a <= at < b for a, b in lower)
        assert (style.color is not None) == any(a <= at < b for a, b in upper)


def test_control_characters_become_visible():
    assert clean("a\tb\x1b[31m\x07\x9b\u202e\ud800") == "a   b␛[31m␇\ufffd\ufffd\ufffd"
    assert lines_of("a\r\nb\x0cc\n") == ["a", "b␌c"], "only line feeds end a line, as line numbers count them"
    assert lines_of("") == []


def test_search_respects_case_only_with_upper_case():
    lines = ["Copy copy", "", "COPY"]
    assert search.find(lines, Query("copy")) == (Match(0, 0, 4), Match(0, 5, 9), Match(2, 0, 4))
    assert search.find(lines, Query("Copy")) == (Match(0, 0, 4),)
    assert search.find(lines, Query("")) == ()


def test_regular_expressions_are_asked_for():
    lines = ["T.copy(A[0])", "T.copy(B[12])"]
    assert search.find(lines, Query(r"[ab]\[\d+\]", regex=True)) == (Match(0, 7, 11), Match(1, 7, 12))
    assert search.find(lines, Query(r"A[0]")) == (Match(0, 7, 11),), "plain text has no special characters"
    assert search.find(lines, Query("x*", regex=True)) == (), "nothing is no place"
    bad = Query("T.copy(", regex=True)
    assert search.find(lines, bad) == ()
    assert bad.problem.startswith("no pattern: ")


@pytest.mark.parametrize(
    "pattern",
    [
        "(" * 2000,
        "a" * 1001,
        "a{4000000000}",
        "(?:(?:a{100}){100}){100}",
        "(" * 499 + ")" * 499,
        "[a",
        "\\",
        "(?P<1>a)",
    ],
)
def test_a_pattern_that_cannot_be_or_would_take_all_memory_is_told(pattern):
    bad = Query(pattern, regex=True)
    assert bad.problem.startswith("no pattern: ")
    assert search.find(["a" * 50], bad) == ()


@pytest.mark.parametrize("pattern", ["(a+)+b", "(?R)"])
def test_a_pattern_that_would_never_come_to_an_end_is_given_up(pattern):
    with pytest.raises(search.SlowPatternError, match="takes too long"):
        search.find(["a" * 5000 + "c"] * 20, Query(pattern, regex=True))


def test_places_are_those_of_the_text_where_small_letters_take_more_room():
    line = "İİ T.copy"
    (match,) = search.find([line], Query("t.copy"))
    assert line[match.start : match.end] == "T.copy"


@given(st.text(max_size=12), st.booleans(), st.lists(st.text(max_size=20), max_size=4))
def test_places_are_in_their_lines_and_apart(text, regex, lines):
    last = (-1, 0)
    for match in search.find(lines, Query(text, regex)):
        assert 0 <= match.start < match.end
        assert (match.row, match.start) >= last
        last = (match.row, match.end)


def test_names_are_found_by_parts_and_by_letters():
    assert fuzzy.matches("lyinf", "tl.LayoutInference")
    assert fuzzy.matches("simp #2", "tl.Simplify#2")
    assert not fuzzy.matches("simp #3", "tl.Simplify#2")
    assert fuzzy.matches("", "x")


def test_stepping_goes_round_and_starts_at_the_cursor():
    matches = (Match(2, 0, 1), Match(2, 5, 6), Match(8, 0, 1))
    assert search.nearest(matches, 3) == 2
    assert search.nearest(matches, 9) == 0
    assert search.following(matches, 0, 2, 1) == 1
    assert search.following(matches, 0, 5, 1) == 2, "the cursor went on by itself"
    assert search.following(matches, 0, 5, -1) == 1
    assert search.following(matches, 2, 8, 1) == 0
    assert search.following((), None, 0, 1) is None


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


INKS = ["text", "dim", "keyword", "builtin", "string", "number", "comment"]
INKS += ["inserted", "deleted", "changed", "error", "accent", "moved"]

GROUNDS = (
    "background",
    "bar",
    "cursor",
    "insert_row",
    "insert_word",
    "delete_row",
    "delete_word",
    "linked",
    "moved_row",
)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_all_text_can_be_read_on_all_backgrounds(palette):
    """WCAG AA: a contrast of 4.5 or more; AAA, 7, for high contrast."""
    least = 7 if palette is CONTRAST else 4.5
    colours = dataclasses.asdict(palette)
    too_close = []
    for ink, ground in [*itertools.product(INKS, GROUNDS), ("text", "match"), ("background", "changed")]:
        light, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
        if (light + 0.05) / (dark + 0.05) < least:
            too_close.append((ink, ground, round((light + 0.05) / (dark + 0.05), 2)))
    assert too_close == []


def test_the_terminal_may_say_that_it_is_light():
    assert prefers_light({"COLORFGBG": "0;15"})
    assert not prefers_light({"COLORFGBG": "15;default;0"})
    assert not prefers_light({})


def test_long_labels_keep_their_number():
    assert shorten("tl.PlanAndUpdateBufferAllocationLocation#12", 20) == "tl.PlanAndUpda…on#12"
    assert shorten("tl.Simplify", 20) == "tl.Simplify"
    assert shorten("tl.Simplify", 4) == "tl.…"


def test_a_file_is_the_same_with_and_without_its_workspace():
    assert same_file("kernels/gemm.py", "/home/me/kernels/gemm.py")
    assert not same_file("gemm.py", "/home/me/other_gemm.py")
    assert not same_file("", "/home/me/gemm.py")


@given(st.text(alphabet="ab é编译🚀", max_size=20), st.integers(0, 24))
def test_wide_characters_are_cut_and_filled_by_the_cells_they_take(text, room):
    assert cell_len(shortened(text, room)) <= room
    assert cell_len(filled(text, room)) == room
    assert cell_len(shorten(text, room)) <= room
    if cell_len(text) <= room:
        assert filled(text, room).startswith(text)
