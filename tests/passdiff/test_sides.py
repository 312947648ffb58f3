"""Side by side, both texts can be read off the rows, and what changed is marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilescope_passdiff.sides import SideLine, Sides, text_sides
from tilescope_trace.model import Origin

TEXTS = st.lists(
    st.sampled_from(["for i in T.serial(4):", "  A[i] = B[i]", "  A[i] = B[i + 1]", "", "x"]), max_size=14
)


def shown(sides: Sides) -> list[tuple[str, str | None, str | None]]:
    text = [(row.kind, row.before and row.before.text, row.after and row.after.text) for row in sides.rows]
    return [(kind, old or None, new or None) for kind, old, new in text]


def side(sides: Sides, name: str) -> list[SideLine]:
    return [line for row in sides.rows if (line := getattr(row, name)) is not None]


@given(TEXTS, TEXTS)
def test_the_columns_are_the_two_texts(before: list[str], after: list[str]) -> None:
    sides = text_sides(before, after, context=None)
    for name, text in (("before", before), ("after", after)):
        assert [line.text for line in side(sides, name)] == text
        assert [line.line for line in side(sides, name)] == list(range(1, len(text) + 1))


@given(TEXTS, TEXTS, st.integers(0, 3))
def test_what_is_left_out_is_equal_and_counted(before: list[str], after: list[str], context: int) -> None:
    every, some = text_sides(before, after, context=None), text_sides(before, after, context=context)
    rows = list(every.rows)
    for row in some.rows:
        for _ in range(row.skipped):
            assert rows.pop(0).kind == "equal"
        if row.kind != "skip":
            assert rows.pop(0) == row
    assert rows == []


@given(TEXTS, TEXTS)
def test_marks_lie_in_their_lines(before: list[str], after: list[str]) -> None:
    for row in text_sides(before, after).rows:
        for line in filter(None, (row.before, row.after)):
            assert all(1 <= start < end <= len(line.text) + 1 for start, end in line.changed)
        assert (row.kind == "change") == (row.before is not None and row.after is not None and row.kind != "equal")


def test_a_changed_line_stands_beside_what_it_became() -> None:
    sides = text_sides(["with A:", "  load(A, 128)", "end"], ["with A:", "  load(A, 256)", "new", "end"])
    assert shown(sides) == [
        ("equal", "with A:", "with A:"),
        ("change", "  load(A, 128)", "  load(A, 256)"),
        ("insert", None, "new"),
        ("equal", "end", "end"),
    ]
    changed = sides.rows[1]
    assert changed.before is not None
    assert changed.before.changed == ((11, 14),)
    assert (sides.insertions, sides.deletions) == (2, 1)


def test_moved_lines_know_where_they_are_on_the_other_side() -> None:
    block = ["  copy_of_something(A_shared)", "  gemm_of_something(A_shared, B_shared)"]
    sides = text_sides([*block, "a", "b", "c"], ["a", "b", "c", *block])
    assert [(move.before, move.after, move.lines) for move in sides.moved] == [(1, 4, 2)]
    assert [line.moved for line in side(sides, "before")] == [4, 5, None, None, None]


def test_lines_name_their_places_in_python() -> None:
    place = (Origin("k.py", 3),)
    sides = text_sides(["a"], ["a", "b"], origins=({1: place}, {2: place}))
    assert [line.source for line in side(sides, "after")] == [(), place]
    assert [line.source for line in side(sides, "before")] == [place]
