"""The line diff is minimal, covers both sides and cuts where a reader would."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from tilescope_passdiff.lines import Block, count, diff, hunks, split
from tilescope_passdiff.normalise import without_constants, without_numbers

LINE = st.sampled_from(["", "a", "b", "  a", "  b", "    c", "for"])
LINES = st.lists(LINE, max_size=14)


def shown(before: str, after: str) -> list[str]:
    """The changed lines only, with their marks."""
    old, new = split(before), split(after)
    result: list[str] = []
    for block in diff(old, new):
        if block.kind != "equal":
            result += ["-" + line for line in old[block.before_start : block.before_end]]
            result += ["+" + line for line in new[block.after_start : block.after_end]]
    return result


@settings(max_examples=400, deadline=None)
@given(LINES, LINES)
def test_blocks_cover_both_sides_with_the_fewest_changes(before: list[str], after: list[str]) -> None:
    blocks = diff(before, after)
    assert sum(count(blocks)) == Indel.distance(before, after)
    at = (0, 0)
    for block in blocks:
        assert (block.before_start, block.after_start) == at
        at = (block.before_end, block.after_end)
        if block.kind == "equal":
            assert before[block.before_start : block.before_end] == after[block.after_start : block.after_end] != []
    assert at == (len(before), len(after))
    assert all((first.kind == "equal") != (second.kind == "equal") for first, second in pairwise(blocks))


@settings(max_examples=200, deadline=None)
@given(LINES, LINES, st.integers(0, 3))
def test_hunks_hold_every_change_and_bounded_context(before: list[str], after: list[str], context: int) -> None:
    blocks = diff(before, after)
    groups = hunks(blocks, context)
    assert [b for group in groups for b in group.blocks if b.kind != "equal"] == [
        b for b in blocks if b.kind != "equal"
    ]
    for group in groups:
        for outer in (group.blocks[0], group.blocks[-1]):
            assert outer.kind != "equal" or outer.before_end - outer.before_start <= context
    for first, second in pairwise(groups):
        assert sum(first.before) <= second.before[0]


def test_an_inserted_loop_is_shown_whole() -> None:
    before = "for i:\n    x()\nend()"
    after = "for i:\n    x()\nfor i:\n    x()\nend()"
    assert shown(before, after) == ["+for i:", "+    x()"]
    assert diff(split(before), split(after))[1] == Block("insert", 2, 2, 2, 4)


def test_a_deleted_block_begins_at_its_head() -> None:
    before = "with a:\n    copy()\n    sync()\nwith b:\n    gemm()\n    sync()\nstore()"
    after = "with a:\n    copy()\n    sync()\nstore()"
    assert shown(before, after) == ["-with b:", "-    gemm()", "-    sync()"]


def test_neighbouring_changes_become_one_block() -> None:
    old, new = ["a", "x1", "x2", "b"], ["a", "y1", "y2", "y3", "b"]
    assert [block.kind for block in diff(old, new)] == ["equal", "replace", "equal"]


def test_equal_texts_have_no_hunks() -> None:
    assert hunks(diff(["a"], ["a"])) == ()
    assert diff([], []) == ()


def test_only_newlines_break_lines() -> None:
    assert split("a\x0bb\u2028c\r\nd\n") == ["a\x0bb\u2028c\r", "d"]
    assert split("") == []
    assert split("a\n\n") == ["a", ""]


def test_renumbering_can_be_hidden() -> None:
    old = ["v_1 = A_shared_2[k]", 'call("sm_80", v_1)', "v = 0"]
    new = ["v_3 = A_shared_1[k]", 'call("sm_80", v_3)', "v = 1"]
    assert count(diff(old, new)) == (3, 3)
    assert count(diff(old, new, key=without_numbers)) == (1, 1)


def test_only_numbers_at_the_ends_of_names_are_left_out() -> None:
    assert without_numbers("A_shared_1[v_2_3, tx] = 1_000 + x8 + _4") == "A_shared[v, tx] = 1_000 + x8 + _4"
    assert without_numbers(r'f_1("a_1 \" b_2")') == r'f("a_1 \" b_2")'


def test_constants_are_numbers_and_neither_names_nor_types_nor_strings():
    assert without_constants("for i in T.unroll(64): A_2[i * 8 + 1e-06, tx // 32 - 1.5]") == (
        "for i in T.unroll(0): A_2[i * 0 + 0, tx // 0 - 0]"
    )
    assert without_constants('x: T.float16x4 = T.wgmma("m64n128k16", T.int64(0x1F))') == (
        'x: T.float16x4 = T.wgmma("m64n128k16", T.int64(0))'
    )
    assert without_constants("float4 v_1 = 0x1.05p-3f + 2.0f * 3u;") == "float4 v_1 = 0 + 0 * 0;"
    assert without_constants("x[-1]") != without_constants("x[1]"), "a sign is more than a constant"
