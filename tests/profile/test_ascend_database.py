"""Databases of msprof and torch_npu.profiler."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Metric

from .ascend_files import BASE_NS, STREAM, THREAD, write_database


@pytest.mark.parametrize("column", ["blockDim", "block_dim"])
def test_tasks_with_a_kernel_become_launches_in_either_spelling(tmp_path: Path, column: str) -> None:
    (profile,) = load_profiles(write_database(tmp_path / "run.db", column))
    first, second = profile.launches
    assert (first.name, first.start_ns, first.duration_ns, first.kind) == (
        "main_kernel_mix_aic",
        BASE_NS,
        53_741,
        "MIX_AIC",
    )
    assert (first.grid, second.grid, first.device, first.correlation) == ((20, 1, 1), (8, 1, 1), 0, 1)
    assert first.metrics["aic_mac_ratio"] == Metric(0.81)
    assert first.metrics["Mix Block Dim"] == Metric(40.0)
    assert "aic_mac_ratio" not in second.metrics
    assert [one.annotation for one in profile.launches] == [None, "tl:0123456789ab"]
    assert [(one.number, one.name) for one in profile.devices] == [(0, "Ascend910B4")]


def test_host_calls_arrows_and_counters(tmp_path: Path) -> None:
    (profile,) = load_profiles(write_database(tmp_path / "run.db"))
    assert {(lane.title, lane.kind, lane.number) for lane in profile.lanes} >= {
        (f"Stream {STREAM}", "stream", STREAM), (f"thread {THREAD}", "host", THREAD), ("device 0", "device", 0),
    }  # fmt: skip
    assert list(profile.flows.end_ns) == [BASE_NS, BASE_NS + 60_000, BASE_NS + 90_000]
    (counter,) = profile.counters
    assert (counter.name, counter.unit, list(counter.values)) == ("AI Core frequency", "MHz", [1800.0])


def test_reading_leaves_no_file_beside_a_database_in_wal_mode(tmp_path: Path) -> None:
    path = write_database(tmp_path / "run.db")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = path.read_bytes()
    load_profiles(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.db"]
    assert path.read_bytes() == before


def test_a_compressed_database(tmp_path: Path) -> None:
    path = write_database(tmp_path / "run.db")
    packed = tmp_path / "packed.db.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    (profile,) = load_profiles(packed)
    assert len(profile.launches) == 2


def test_what_has_no_launches_says_why(tmp_path: Path) -> None:
    path = tmp_path / "analysis.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE StepTraceTime (step TEXT)")
    connection.close()
    (profile,) = load_profiles(path)
    assert profile.nothing_to_show is not None
    assert "analysis database" in profile.nothing_to_show


def test_rows_without_times_are_counted(tmp_path: Path) -> None:
    path = write_database(tmp_path / "run.db")
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO TASK VALUES ('soon', NULL, 0, 1, 9, 0, 2, 9)")
    connection.commit()
    connection.close()
    (profile,) = load_profiles(path)
    assert [note.message for note in profile.notes] == ["1 rows are left out: their times are no whole numbers of ns"]


def test_a_truncated_database_names_itself_and_the_table(tmp_path: Path) -> None:
    path = write_database(tmp_path / "run.db")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    with pytest.raises(ProfileError, match=rf"{path}.* expected "):
        load_profiles(path)
