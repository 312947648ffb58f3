"""Rows, folds and the way between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilescope_passdiff.tui.document import Document, Row, next_change
from tilescope_passdiff.tui.items import CONTEXT, Fold, Pair, beside, fold, positions, rows_of
from tilescope_passdiff.tui.loading import compared, counts_of, pass_document
from tilescope_passdiff.tui.sources import prepare_generated
from tilescope_trace.model import LineMap, Origin


def document(signs: str) -> Document:
    return Document("t", tuple(Row(sign, at, at, f"line {at}") for at, sign in enumerate(signs, 1)))


signs = st.text(alphabet="    +-", max_size=60)


@given(signs, st.booleans(), st.frozensets(st.integers(0, 60)))
def test_every_row_is_shown_or_folded_exactly_once(text, full, opened):
    items = fold(document(text), full, opened)
    rows = [row for item in items for row in (range(item.start, item.end) if isinstance(item, Fold) else [item])]
    assert rows == list(range(len(text)))


@given(signs)
def test_folds_hide_unchanged_rows_away_from_changes_only(text):
    near = {near for at, sign in enumerate(text) if sign != " " for near in range(at - CONTEXT, at + CONTEXT + 1)}
    for item in fold(document(text), full=False):
        if isinstance(item, Fold):
            assert item.end - item.start > 1, "one line takes no less room folded"
            assert not near & set(range(item.start, item.end))


@given(signs, st.booleans())
def test_every_row_has_its_item(text, full):
    items = fold(document(text), full)
    places = positions(items, len(text))
    for row in range(len(text)):
        assert row in rows_of(items[places[row]])


texts = st.lists(
    st.sampled_from(["a = b[0] + 1", "a = b[1] + 2", "for i in range(8):", "c", "d = T.copy(A, B)"]), max_size=14
)


@given(texts, texts)
def test_two_columns_hold_every_row_once_each_side_in_order(before, after):
    whole = Document("t", compared(before, after))
    items = beside(whole, fold(whole, full=True))
    places = positions(items, len(whole.rows))
    assert [row for row in range(len(whole.rows)) if row in rows_of(items[places[row]])] == list(
        range(len(whole.rows))
    )
    left = [item.old if isinstance(item, Pair) else item for item in items]
    right = [item.new if isinstance(item, Pair) else item for item in items]
    assert [whole.rows[row].old for row in left if row is not None] == list(range(1, len(before) + 1))
    assert [whole.rows[row].new for row in right if row is not None] == list(range(1, len(after) + 1))


def test_a_line_stands_beside_what_it_became():
    whole = Document("t", compared(["first = 1", "x = T.copy(A, 1)"], ["other", "more", "x = T.copy(A, 2)"]))
    pairs = [item for item in beside(whole, fold(whole, full=True)) if isinstance(item, Pair)]
    together = [
        (whole.rows[one.old].text, whole.rows[one.new].text) for one in pairs if None not in (one.old, one.new)
    ]
    assert ("x = T.copy(A, 1)", "x = T.copy(A, 2)") in together


def test_moved_lines_are_told_from_new_ones():
    block = ["mbarrier = T.handle('uint64', 'shared.barrier')", "fence = T.evaluate(mbarrier)"]
    between = [f"statement_{at} = T.step({at})" for at in range(9)]
    rows = compared([*block, *between, "a"], [*between, *block, "b"])
    moved = [row for row in rows if row.moved]
    assert [(row.sign, row.mate) for row in moved] == [("-", 10), ("-", 11), ("+", 1), ("+", 2)]
    assert {row.text for row in rows if row.sign != " " and not row.moved} == {"a", "b"}


def test_an_opened_fold_is_open_and_others_are_not():
    text = document(" " * 20 + "+" + " " * 20)
    start, *_, end = fold(text, full=False)
    assert (start, end) == (Fold(0, 17), Fold(24, 41))
    assert fold(text, full=False, opened=frozenset({0}))[0] == 0
    assert fold(text, full=False, opened=frozenset({0}))[-1] == Fold(24, 41)


def test_next_change_goes_by_blocks():
    text = document("  ++-   -  ")
    assert text.changes == ((2, 5), (8, 9))
    assert next_change(text, 0, 1) == 2
    assert next_change(text, 2, 1) == 8
    assert next_change(text, 8, 1) is None
    assert next_change(text, 8, -1) == 2
    assert next_change(text, 4, -1) == 2


def test_rows_know_where_they_come_from_on_their_own_side():
    here = Origin("a.py", 7)
    text = Document(
        "t", (Row("-", 1, None, "old"), Row("+", None, 1, "new")), before=LineMap({1: (here,)}), after=LineMap()
    )
    assert text.origins(0) == (here,)
    assert text.origins(1) == ()
    assert text.rows_from(lambda origin: origin == here) == {0}


def test_a_pass_becomes_rows_with_numbers_and_changed_words(recording):
    changed = [row for row in pass_document(recording, 1).rows if row.sign != " "]
    assert changed == [
        Row("-", 33, None, "        stmt_30 = T.step(30)", ((25, 27),), 33),
        Row("+", None, 33, "        stmt_30 = T.step(31000)", ((25, 30),), 33),
    ]


def test_counts_are_those_of_the_rows(recording):
    for at, record in enumerate(recording.passes):
        rows = [row.sign for row in pass_document(recording, at).rows]
        expected = (rows.count("+"), rows.count("-")) if record.changed else None
        assert counts_of(recording, at) == expected


def test_block_comments_of_generated_source_are_carried(recording):
    assert prepare_generated(recording).source.inside == ("", "", "", "/*", "")


def test_hidden_renumbering_leaves_other_changes(recording):
    shown, hidden = (pass_document(recording, 3, hide_renumbering=hide) for hide in (False, True))
    assert len(shown.changes) == 2
    assert hidden.changes, "a new call is no new number"
    assert hidden.title.endswith("renumbering hidden")
