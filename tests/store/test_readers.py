"""A recording can be read while it is written."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope_trace.store import snapshot
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.schema import RecordingError

WRITER = """
import sys
import time
from pathlib import Path
from tests.recordings import INFO
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import PassBegan, PassEnded, PassText

for _ in range(4):
    with RecordingWriter(Path(sys.argv[1]), INFO) as writer:
        for index in range(100):
            writer.add(PassBegan(0, index, "tl.Pass", None, 0, None))
            writer.add(PassText(0, f"h{index}", f"line {index}\\n" * 40, ("a.py",), ((1, 0, index),)))
            name = f"h{index}"
            writer.add(PassEnded(0, index, "tl.Pass", None, "both", 0, None, True, name, name, 1.0, "ok"))
            time.sleep(0.002)  # a pass takes a compiler longer than this
        writer.finish(INFO)
"""


def test_a_reader_sees_one_moment_of_a_recording_that_is_written(tmp_path: Path) -> None:
    path = tmp_path / "live.tscope"
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], cwd=root) as process:
        seen = set()
        while process.poll() is None:
            seen.add(_look(path))
    assert process.returncode == 0
    assert len(seen) > 3
    assert _look(path) == 100


def _look(path: Path) -> int | None:
    """The number of passes that ended; None between the removal of the older file and the first page of the new."""
    try:
        recording = open_recording(path)
    except RecordingError as error:
        if any(said in str(error) for said in ("no such file", "empty, not a recording")):
            return None
        raise
    with recording:
        ended = [record for record in recording.passes if record.status == "ok"]
        assert [record.index for record in ended] == list(range(len(ended)))
        for record in ended[-2:]:
            assert recording.text(record.after) == f"line {record.index}\n" * 40
        assert recording.info.status == "incomplete" or len(ended) == 100
        return len(ended)


def test_a_reader_keeps_what_it_opened_when_the_file_is_recorded_again(make_recording) -> None:
    path = make_recording()
    with open_recording(path) as recording:
        make_recording(steps=())
        assert all(recording.text(record.before) for record in recording.passes)
        assert len(recording.passes) == 8


def test_a_file_that_stays_locked_is_not_called_damaged(make_recording, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_recording()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, timeout=0.05, **options))
    holder = connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(RecordingError, match="another process is writing it"):
            open_recording(path)
    finally:
        holder.close()


def test_a_file_recorded_again_between_two_steps_of_opening_is_opened_again(
    make_recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_recording()
    moment, left = snapshot._moment, [2]

    def overtaken(path: Path) -> sqlite3.Connection:
        if left[0]:
            left[0] -= 1
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return moment(path)

    monkeypatch.setattr(snapshot, "_moment", overtaken)
    with open_recording(path) as recording:
        assert len(recording.passes) == 8


def test_a_file_removed_while_it_is_opened_is_missing_not_damaged_and_not_made(
    make_recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_recording()

    def removed(path: Path) -> sqlite3.Connection:
        path.unlink(missing_ok=True)
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(snapshot, "_moment", removed)
    with pytest.raises(RecordingError, match="no such file"):
        open_recording(path)
    assert not path.exists()
