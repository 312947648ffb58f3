"""Bookmarks and notes, and the file they are in."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_passdiff.tui.document import Document, Row
from tilescope_passdiff.tui.places import line_of, position_of, row_of
from tilescope_trace.errors import UsageError
from tilescope_trace.store.notes import Note, change_notes, notes_path, read_notes, with_note, without_note
from tilescope_trace.store.retention import stored

NOTE = Note("text", "tl.First", None, None, 7, "x = 1", "why?", "2026-01-01T00:00:00+00:00")


def test_notes_are_found_again_and_the_last_one_takes_the_file_away(tmp_path):
    path = notes_path(tmp_path / "a.tscope")
    assert read_notes(path) == ()
    assert change_notes(path, lambda notes: with_note(notes, NOTE)) == (NOTE,)
    assert read_notes(path) == (NOTE,)
    assert json.loads(path.read_text())["schema"] == "tilescope.notes/1"
    change_notes(path, lambda notes: without_note(notes, replace(NOTE, text="")))
    assert list(tmp_path.iterdir()) == []


def test_what_another_reader_wrote_meanwhile_stays(tmp_path):
    path = notes_path(tmp_path / "a.tscope")
    other = replace(NOTE, after=9)
    change_notes(path, lambda notes: with_note(notes, NOTE))
    change_notes(path, lambda notes: with_note(notes, other))
    assert read_notes(path) == (NOTE, other)


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": "tilescope.notes/9"}', "\x00", '{"schema": 1}'])
def test_what_is_no_notes_is_told_and_left_alone(tmp_path, text):
    path = notes_path(tmp_path / "a.tscope")
    path.write_text(text)
    with pytest.raises(UsageError, match=r"a\.tscope\.notes\.json"):
        change_notes(path, lambda notes: with_note(notes, NOTE))
    assert path.read_text() == text


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_survives(tmp_path_factory, text, excerpt):
    path = tmp_path_factory.mktemp("notes") / "n.json"
    note = replace(NOTE, text=text, excerpt=excerpt)
    try:
        change_notes(path, lambda _: (note,))
    except UsageError:
        pytest.fail("notes of any text can be written")
    assert read_notes(path) == (note,)


def test_a_noted_line_is_found_by_its_text_then_by_its_number():
    rows = tuple(Row(" ", at, at, text) for at, text in enumerate(["a", "x = 1", "b", "x = 1", "c"], 1))
    document = Document("t", rows)
    assert row_of(document, replace(NOTE, after=4)) == 3
    assert row_of(document, replace(NOTE, after=9)) == 3, "the nearest of its text"
    assert row_of(document, replace(NOTE, after=3, excerpt="gone")) == 2
    assert row_of(Document("t"), NOTE) is None
    assert line_of(["x = 1", "b"], replace(NOTE, after=2)) == 0
    assert position_of((), "tl.First", 4) == 0


async def test_m_marks_and_unmarks_a_line_in_the_file_beside(recording, watch):
    path = notes_path(recording.path)
    async with watch(recording) as seen:
        await seen.press("tab", "m")
        assert "★" in seen.line("text", "▶")
        assert "★" in seen.line("passes", "tl.First")
        (note,) = read_notes(path)
        assert (note.label, note.before, note.excerpt) == ("tl.First", 33, "        stmt_30 = T.step(30)")
        assert stored(recording.path.parent)[0].noted, "prune leaves it alone"
        await seen.press("m")
        assert not path.exists()
        assert "★" not in seen.line("text", "▶")


async def test_a_writes_a_note_and_M_goes_back_to_it(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "a", *"why 31000", "enter")
        await seen.press("tab", "a", *"py", "enter")
        await seen.press("n", "M")
        assert "why 31000" in "\n".join(seen.lines())
        await seen.press(*"31000", "enter")
        assert seen.title("text").startswith("1 tl.First")
        assert "stmt_30" in seen.line("text", "▶")
        await seen.press("M", "down", "enter")
        assert seen.app.focused.id == "source"
        await seen.press("a", "escape")
        assert len(read_notes(notes_path(recording.path))) == 2
        await seen.press("M", "delete", "delete", "escape")
        assert read_notes(notes_path(recording.path)) == ()


async def test_notes_are_there_the_next_time(recording, watch):
    async with watch(recording) as seen:
        await seen.press("tab", "m")
    async with watch(recording) as seen:
        assert "★" in seen.line("passes", "tl.First")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
async def test_in_a_read_only_folder_they_last_until_the_end(recording, watch):
    recording.path.parent.chmod(0o500)
    try:
        async with watch(recording) as seen:
            await seen.press("tab", "m")
            assert "★" in seen.line("passes", "tl.First")
    finally:
        recording.path.parent.chmod(0o700)


async def test_where_they_cannot_be_written_they_last_until_the_end(recording, watch):
    path = notes_path(recording.path)
    path.mkdir()
    async with watch(recording) as seen:
        await seen.press("tab", "m")
        assert "★" in seen.line("passes", "tl.First")
        assert any("kept until you quit only" in toast.message for toast in seen.app._notifications)
