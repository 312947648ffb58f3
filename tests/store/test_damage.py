"""A file that is no whole recording gives one clear message and never a wrong answer."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.recordings import GEMM, text_hash, write_steps

from tilescope_trace.store.read import Recording, RecordingError, open_recording
from tilescope_trace.store.schema import PAGE_SIZE, SCHEMA_VERSION
from tilescope_trace.store.write import RecordingWriter


def everything(recording: Recording) -> tuple[object, ...]:
    texts = sorted({name for record in recording.passes for name in (record.before, record.after) if name})
    return (
        recording.info,
        recording.passes,
        [(recording.text(name), recording.line_map(name)) for name in texts],
        recording.generated(),
        recording.sources(),
    )


def read_or_refuse(path: Path) -> tuple[object, ...] | None:
    """All content; None where the recording was refused with one line that names the file."""
    try:
        with open_recording(path) as recording:
            return everything(recording)
    except RecordingError as error:
        message = str(error)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return None


def test_wherever_it_is_cut_off(make_recording) -> None:
    path = make_recording()
    whole = path.read_bytes()
    expected = read_or_refuse(path)
    for offset in sorted({*range(0, 200, 9), *range(0, len(whole), len(whole) // 60), len(whole) - 1}):
        path.write_bytes(whole[:offset])
        found = read_or_refuse(path)
        # The end of the last page holds nothing.
        assert found is None or (found == expected and offset > len(whole) - PAGE_SIZE), offset


def test_wherever_a_bit_is_flipped(make_recording) -> None:
    path = make_recording()
    whole = path.read_bytes()
    expected = read_or_refuse(path)
    chance = random.Random(20260101)
    refused = 0
    for _ in range(300):
        at, bit = chance.randrange(len(whole)), chance.randrange(8)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        found = read_or_refuse(path)
        assert found in (None, expected), (at, bit)
        refused += found is None
    assert refused > 60


def test_wherever_a_stretch_is_overwritten(make_recording) -> None:
    path = make_recording()
    whole = path.read_bytes()
    expected = read_or_refuse(path)
    chance = random.Random(3)
    for _ in range(100):
        at, length = chance.randrange(len(whole)), chance.randrange(1, 300)
        path.write_bytes((whole[:at] + chance.randbytes(length) + whole[at + length :])[: len(whole)])
        assert read_or_refuse(path) in (None, expected), (at, length)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA application_id = 1", "SQLite database, but not a tilescope recording"),
        ("PRAGMA user_version = 3", r"newer tilescope \(recording schema 3; this one reads up to 2\)\. Upgrade"),
        ("PRAGMA user_version = 0", "damaged recording: there is no recording schema 0"),
        ("DELETE FROM pass WHERE id = 3", "damaged recording: it is not complete"),
        ("DELETE FROM source", "damaged recording: it is not complete"),
        ("DELETE FROM meta WHERE key = 'generated'", "damaged recording: it is not complete"),
        ("UPDATE pass SET name = 'tl.Other' WHERE id = 3", "damaged recording: the record of pass 3"),
        ("UPDATE meta SET value = x'00' WHERE key = 'info'", "damaged recording: its part 'info'"),
        ("DROP TABLE text", "damaged recording: SQLite says"),
    ],
)
def test_the_message_says_what_is_wrong(make_recording, statement: str, message: str) -> None:
    path = make_recording()
    database = sqlite3.connect(path)
    database.execute(statement)
    database.commit()
    database.close()
    with pytest.raises(RecordingError, match=message):
        open_recording(path)


def test_a_damaged_text_is_named_when_it_is_read(make_recording) -> None:
    path = make_recording()
    database = sqlite3.connect(path)
    database.execute("UPDATE text SET body = x'00' WHERE id = 2")
    database.commit()
    database.close()
    with open_recording(path) as recording:
        assert recording.text(recording.passes[0].before)
        damaged = recording.passes[1].after
        with pytest.raises(RecordingError, match=f"damaged recording: the IR text {damaged} fails its checksum"):
            recording.text(damaged)


def test_other_files_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty.tscope").write_bytes(b"")
    (tmp_path / "foreign.tscope").write_bytes(b"import tilelang\n" * 100)
    (tmp_path / "short.tscope").write_bytes(b"SQLite format 3\x00 and no more")
    (tmp_path / "folder.tscope").mkdir()
    for name, message in {
        "missing.tscope": "no such file",
        "empty.tscope": "empty, not",
        "foreign.tscope": "not a tilescope recording",
        "short.tscope": "damaged recording: the file ends after 28 bytes",
        "folder.tscope": "a folder",
        "empty.tscope/x": "cannot be read",
    }.items():
        with pytest.raises(RecordingError, match=message):
            open_recording(tmp_path / name)


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[tuple[str, str]], Path]:
    """The bytes of a recording whose writer was killed before it finished (nothing seals it), name and input of each
    pass, and a file to harm."""
    path = tmp_path_factory.mktemp("unfinished") / "killed.tscope"
    with RecordingWriter(path) as writer:
        write_steps(writer, GEMM)
    with open_recording(path) as recording:
        assert recording.info.status == "incomplete"
        return path.read_bytes(), [(record.name, record.before) for record in recording.passes], path


@given(at=st.floats(0, 1, exclude_max=True), bit=st.none() | st.integers(0, 7))
@settings(max_examples=150, deadline=None)
def test_an_unfinished_recording_shows_passes_as_they_were_or_says_what_is_wrong(unfinished, at, bit) -> None:
    """Truncated anywhere or a bit flipped anywhere: never a pass that was not recorded so."""
    whole, names, path = unfinished
    offset = int(at * len(whole))
    flipped = b"" if bit is None else bytes([whole[offset] ^ 1 << bit]) + whole[offset + 1 :]
    path.write_bytes(whole[:offset] + flipped)
    found = read_or_refuse(path)
    if found is not None:
        _, passes, texts, *_ = found
        assert [(record.name, record.before) for record in passes] == names[: len(passes)]
        assert {text_hash(text) for text, _ in texts} <= {
            text_hash(text) for step in GEMM for text in (step.before, step.after) if text
        }


def test_every_older_schema_is_read_and_every_newer_one_refused(make_recording) -> None:
    """A schema that is neither listed as read nor refused would be a silent break."""
    path = make_recording()
    for version in range(1, SCHEMA_VERSION + 3):
        database = sqlite3.connect(path)
        database.execute(f"PRAGMA user_version = {version}")
        database.close()
        if version <= SCHEMA_VERSION:
            with open_recording(path) as recording:
                assert recording.passes
        else:
            with pytest.raises(
                RecordingError, match=rf"newer tilescope \(recording schema {version}; .*Upgrade tilescope"
            ):
                open_recording(path)
