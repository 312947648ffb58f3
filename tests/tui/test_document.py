"""Rows, folds and the way between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilescope_passdiff.tui.document import CONTEXT, Document, Fold, Row, first_row, fold, next_change, position
from tilescope_passdiff.tui.loading import counts_of, generated_document, pass_document
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
    for row in range(len(text)):
        item = items[position(items, row)]
        assert first_row(item) <= row < (item.end if isinstance(item, Fold) else item + 1)


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
        Row("-", 33, None, "        stmt_30 = T.step(30)", ((25, 27),)),
        Row("+", None, 33, "        stmt_30 = T.step(31000)", ((25, 30),)),
    ]


def test_counts_are_those_of_the_rows(recording):
    for at, record in enumerate(recording.passes):
        rows = [row.sign for row in pass_document(recording, at).rows]
        expected = (rows.count("+"), rows.count("-")) if record.changed else None
        assert counts_of(recording, at) == expected


def test_block_comments_of_generated_source_are_carried(recording):
    assert generated_document(recording).inside == ("", "", "", "/*", "")


def test_hidden_renumbering_leaves_other_changes(recording):
    shown, hidden = (pass_document(recording, 3, hide_renumbering=hide) for hide in (False, True))
    assert len(shown.changes) == 2
    assert hidden.changes, "a new call is no new number"
    assert hidden.title.endswith("renumbering hidden")
