"""Which recordings there are, and which of them go."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recordings import GEMM, write_steps

from tilescope.commands.recordings import seconds_of
from tilescope.main import main
from tilescope.schemas import SCHEMAS
from tilescope.stored import age_text
from tilescope_trace.errors import UsageError
from tilescope_trace.store.retention import IN_USE_S, StoredRecording, keep_out_of_version_control, stored, to_remove
from tilescope_trace.store.write import RecordingWriter

DAY = 86400.0


@pytest.fixture
def folder(make_recording, tmp_path: Path) -> Path:
    """Recordings of 1, 2 and 3 days, a damaged one of 4, and files that are none."""
    for days in (1, 2, 3, 4):
        path = make_recording(f"day{days}")
        if days == 4:
            path.write_bytes(path.read_bytes()[:3000])
        aged(path, days * DAY)
    (tmp_path / "foreign.tscope").write_text("not a recording")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "below").mkdir()
    return tmp_path


def aged(path: Path, seconds: float) -> None:
    now = path.stat().st_mtime
    os.utime(path, (now - seconds, now - seconds))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_list_tells_what_is_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recordings", "list", str(folder), "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    jsonschema.validate(listed, SCHEMAS["recordings"]())
    found = {Path(one["path"]).stem: one for one in listed["recordings"]}
    assert list(found) == ["day1", "day2", "day3", "day4"]
    assert (found["day1"]["kernel"], found["day1"]["target"], found["day1"]["specialization"]) == (
        "matmul.main",
        "cuda:sm_90a",
        "0123456789ab",
    )
    assert (found["day1"]["status"], found["day1"]["passes"], found["day1"]["problem"]) == ("ok", len(GEMM), None)
    assert found["day4"]["status"] == "unreadable"
    assert "damaged recording" in found["day4"]["problem"]
    assert listed["bytes"] == sum(one["bytes"] for one in listed["recordings"])
    assert main(["recordings", "list", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "4 recordings" in said
    assert "3 d" in said


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (["--keep", "2"], {"day3", "day4"}),
        (["--keep", "0"], {"day1", "day2", "day3", "day4"}),
        (["--older-than", "60h"], {"day3", "day4"}),
        (["--keep", "3", "--older-than", "12h"], {"day4"}),
        (["--keep", "1", "--older-than", "8w"], set()),
    ],
)
def test_pruning(folder: Path, options: list[str], gone: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = names(folder)
    command = ["recordings", "prune", str(folder), *options]
    assert main([*command, "--dry-run", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, SCHEMAS["pruned"]())
    assert {Path(one["path"]).stem for one in told["removed"]} == gone
    assert names(folder) == before
    assert main(command) == 0
    assert names(folder) == before - {f"{name}.tscope" for name in gone}
    assert f"{4 - len(gone)} left" in capsys.readouterr().out


def test_notes_and_the_recording_they_are_about_stay(folder: Path) -> None:
    (folder / "day3.tscope.notes.json").write_text("{}")
    assert main(["recordings", "prune", str(folder), "--keep", "0"]) == 0
    assert {"day3.tscope", "day3.tscope.notes.json"} <= names(folder)
    assert main(["recordings", "prune", str(folder), "--keep", "0", "--noted"]) == 0
    assert names(folder) == {"foreign.tscope", "notes.txt", "below"}


def test_one_that_is_being_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "live.tscope"
    with RecordingWriter(path) as writer:
        write_steps(writer, GEMM[:2])
        assert main(["recordings", "prune", str(tmp_path), "--keep", "0"]) == 0
        write_steps(writer, GEMM)
    (one,) = stored(tmp_path)
    assert (one.status, one.passes, one.kernel) == ("incomplete", len(GEMM), None)
    aged(path, IN_USE_S + 10)
    assert main(["recordings", "prune", str(tmp_path), "--keep", "0"]) == 0
    assert stored(tmp_path) == ()


ages = st.lists(st.floats(0, 100 * DAY, allow_subnormal=False), max_size=12)


@given(ages, st.none() | st.integers(0, 15), st.none() | st.floats(0, 100 * DAY))
def test_what_goes_is_old_enough_and_not_among_the_newest(ages, keep, older_than) -> None:
    recordings = [
        StoredRecording(Path(f"{at}.tscope"), 1, -age, "ok", "k", "c", "0", 1, ()) for at, age in enumerate(ages)
    ]
    gone = to_remove(recordings, 0.0, keep=keep, older_than=older_than)
    left = [one for one in recordings if one not in gone]
    assert len(left) >= min(keep or 0, len(recordings))
    assert all(older_than is None or -one.modified > older_than for one in gone)
    if keep is None:
        assert all(older_than is not None and -one.modified <= older_than for one in left)
    if gone and keep:
        assert sum(one.modified >= max(other.modified for other in gone) for one in left) >= keep


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prune"], "say what may go"),
        (["prune", "--older-than", "soon"], "expected a number with s, m, h, d or w"),
        (["prune", "--keep", "-1"], "--keep"),
        (["list", "file"], "cannot be read"),
    ],
)
def test_bad_usage(tmp_path: Path, monkeypatch, arguments: list[str], message: str, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    assert main(["recordings", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_without_recordings(tmp_path: Path, monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["recordings"]) == 0
    assert "no recordings in .tilescope" in capsys.readouterr().out


def test_the_folder_keeps_itself_out_of_git(tmp_path: Path) -> None:
    folder = tmp_path / ".tilescope"
    keep_out_of_version_control(folder)
    (folder / "a.tscope").write_text("")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    status = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
    # What a user changed there stays.
    (folder / ".gitignore").write_text("*.tscope\n")
    keep_out_of_version_control(folder)
    assert (folder / ".gitignore").read_text() == "*.tscope\n"


def test_ages() -> None:
    assert seconds_of("2w") == 14 * DAY
    assert [age_text(one) for one in (-1, 59, 60, 3600, 2 * DAY)] == ["0 s", "59 s", "1 min", "1 h", "2 d"]
    with pytest.raises(UsageError, match="such as 30d"):
        seconds_of("30")
