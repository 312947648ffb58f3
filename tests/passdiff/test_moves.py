"""Moved and indented blocks, in diffs and in what is shown of them."""

from __future__ import annotations

from textwrap import indent

from hypothesis import given
from hypothesis import strategies as st

from tilescope_passdiff import lines
from tilescope_passdiff.diff import diff_texts
from tilescope_passdiff.moves import Move, moves
from tilescope_passdiff.normalise import key_of
from tilescope_passdiff.render.unified import plain_hunks

LOOP = """\
for k in range(32):
    load_the_tile(A_shared, k)
    multiply(A_shared, C_local)
"""
REST = """\
initialise(C_local)
barrier_of_the_block()
store_the_tile(C_local)
write_back(C_local, C)
finish_the_kernel(C)
"""


def of(before: str, after: str) -> tuple[Move, ...]:
    old, new = lines.split(before), lines.split(after)
    return moves(lines.diff(old, new), old, new)


def test_a_block_that_stands_elsewhere_is_moved() -> None:
    assert of(LOOP + REST, REST + LOOP) == (Move(0, 5, 3, 0, in_place=False),)


def test_a_block_with_something_around_it_is_indented_in_place() -> None:
    before, after = REST + LOOP, REST + "if tx < 128:\n" + indent(LOOP, "    ")
    assert of(before, after) == (Move(5, 6, 3, 4, in_place=True),)


def test_lines_that_are_everywhere_are_not_moved() -> None:
    assert of("else:\n" + REST + ")\n", ")\n" + REST + "else:\n") == ()


def test_renumbered_lines_move_where_numbers_are_hidden() -> None:
    old, new = lines.split(LOOP + REST), lines.split(REST + LOOP.replace("A_shared", "A_shared_1"))
    assert moves(lines.diff(old, new), old, new) == ()
    key = key_of(hide_renumbering=True)
    assert moves(lines.diff(old, new, key), old, new, key) == (Move(0, 5, 3, 0, in_place=False),)


def test_moved_lines_name_each_other_and_the_hunk_says_so() -> None:
    diff = diff_texts(lines.split(LOOP + REST), lines.split(REST + LOOP), context=0)
    moved = [(line.kind, line.before or line.after, line.moved) for hunk in diff.hunks for line in hunk.lines]
    assert moved == [("delete", n, n + 5) for n in (1, 2, 3)] + [("insert", n + 5, n) for n in (1, 2, 3)]
    shown = list(plain_hunks(diff))
    assert shown[0] == "@@ -1,3 +0,0 @@ lines 1-3 moved to 6-8"
    inside = diff_texts(lines.split(REST + LOOP), lines.split(REST + "if tx:\n" + indent(LOOP, "    ")), context=0)
    assert next(plain_hunks(inside)) == "@@ -6,3 +6,4 @@ lines 6-8 indented in by 4"


def test_indentation_can_be_hidden() -> None:
    old, new = lines.split(REST + LOOP), lines.split(REST + "if tx:\n" + indent(LOOP, "    "))
    diff = diff_texts(old, new, key=key_of(hide_indentation=True))
    assert (diff.insertions, diff.deletions, diff.moved) == (1, 0, ())


@given(st.lists(st.sampled_from([*LOOP.splitlines(), *REST.splitlines(), "", ")"]), max_size=30), st.data())
def test_what_is_moved_is_the_same_on_both_sides_and_counted_once(old: list[str], data: st.DataObject) -> None:
    new = data.draw(st.permutations(old))
    blocks = lines.diff(old, new)
    found = moves(blocks, old, new)
    gone = [move.before + step for move in found for step in range(move.count)]
    come = [move.after + step for move in found for step in range(move.count)]
    assert len(set(gone)) == len(gone)
    assert len(set(come)) == len(come)
    changed = [block for block in blocks if block.kind != "equal"]
    assert set(gone) <= {i for block in changed for i in range(block.before_start, block.before_end)}
    assert set(come) <= {j for block in changed for j in range(block.after_start, block.after_end)}
    assert [old[i].strip() for i in gone] == [new[j].strip() for j in come]
