"""Positions, edits and URIs between the client and the domain."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from tilescope_server import convert
from tilescope_server.session import Session, key_of, path_of
from tilescope_server.settings import Settings
from tilescope_server.trust import decide
from tilescope_trace.text_lines import lines_of

ENCODINGS = [types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf32]


@pytest.mark.parametrize(("encoding", "character"), [*zip(ENCODINGS, (11, 8, 7), strict=True)])
def test_columns_are_counted_in_the_clients_units(encoding: types.PositionEncodingKind, character: int) -> None:
    lines = ['"é😀"; A = 1']
    assert len('"é😀"; ') == 6
    place = convert.position(PositionCodec(encoding), lines, 1, 8)
    assert place == types.Position(0, character)
    assert convert.place(PositionCodec(encoding), lines, place) == (1, 8)


texts = st.text(st.sampled_from("ab é核😀\n\r\x0c\u2028"), max_size=30)


@given(text=texts, encoding=st.sampled_from(ENCODINGS), data=st.data())
def test_an_edit_replaces_what_the_client_sees_at_its_range(
    text: str, encoding: types.PositionEncodingKind, data: st.DataObject
) -> None:
    codec = PositionCodec(encoding)
    lines = lines_of(text)
    ends = []
    for _ in range(2):
        row = data.draw(st.integers(0, len(lines) - 1))
        column = data.draw(st.integers(0, len(lines[row])))
        ends.append((row, column))
    (row, column), (end_row, end_column) = sorted(ends)
    change = types.TextDocumentContentChangePartial(
        range=types.Range(
            types.Position(row, codec.client_num_units(lines[row][:column])),
            types.Position(end_row, codec.client_num_units(lines[end_row][:end_column])),
        ),
        text="<new>",
    )
    edited = convert.edited(text, [change], codec)
    changed = (*lines[:row], lines[row][:column] + "<new>" + lines[end_row][end_column:])
    assert lines_of(edited)[: row + 1] == changed
    assert lines_of(edited)[row + 1 :] == lines[end_row + 1 :]


def test_ranges_beyond_the_text_mean_its_end() -> None:
    codec = PositionCodec()
    far = types.Position(1 << 20, 1 << 20)
    everything = types.TextDocumentContentChangePartial(range=types.Range(types.Position(0, 0), far), text="new")
    assert convert.edited("old\ntext", [everything], codec) == "new"
    line_end = types.Range(types.Position(0, 1), types.Position(0, 999))
    assert convert.edited("old\ntext", [types.TextDocumentContentChangePartial(line_end, "!")], codec) == "o!\ntext"


def test_changes_of_one_notification_follow_each_other() -> None:
    insert = [
        types.TextDocumentContentChangePartial(types.Range(types.Position(0, n), types.Position(0, n)), str(n))
        for n in range(3)
    ]
    assert convert.edited("", insert, PositionCodec()) == "012"
    whole = types.TextDocumentContentChangeWholeDocument("fresh")
    assert convert.edited("old", [*insert, whole], PositionCodec()) == "fresh"


@pytest.mark.parametrize("name", ["a b.py", "核 函数.py", "100%.py", "#1.py", "plain.py"])
def test_file_names_survive_the_way_to_a_uri_and_back(name: str) -> None:
    path = f"/w/{name}"
    assert path_of(convert.uri_of(path), None) == path


def test_an_untitled_document_gets_a_path_where_it_would_be_saved() -> None:
    assert path_of("untitled:Untitled-1", Path("/w")) == "/w/Untitled-1.py"
    assert path_of("untitled:/x/k.py", None) == str(Path(tempfile.gettempdir()) / "k.py")


def test_a_document_is_found_however_its_uri_is_escaped() -> None:
    session = Session(Settings(), decide(Settings()), None)
    document = session.open("file:///w/a%20b%3A.py", "", 1)
    assert session.get("file:///w/a b:.py") is document
    assert key_of(document.uri) == "file:///w/a b:.py"
    assert session.close("file:///w/a%20b:.py") is document
    assert session.documents() == ()
