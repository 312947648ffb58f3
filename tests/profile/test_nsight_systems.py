"""Nsight Systems: databases with the tables of its exports, and CSV reports of `nsys stats`.

No recorded file is at hand: tables and columns are those of NVIDIA's schema reference.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles

PROCESS = (1 << 48) | (100 << 24)
THREAD = PROCESS | 4

TABLES = """
CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, computeMajor INTEGER, computeMinor INTEGER, smCount INTEGER,
    clockRate INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
    nameId INTEGER);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER);
INSERT INTO StringIds VALUES (1, 'gemm_relu_kernel'), (2, 'cuLaunchKernelEx'), (3, 'step');
INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200', 9, 0, 132, 1980000000);
"""

KERNELS = """
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
    blockX INTEGER, blockY INTEGER, blockZ INTEGER, registersPerThread INTEGER, staticSharedMemory INTEGER,
    dynamicSharedMemory INTEGER);
"""

HEADER = (
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem ({unit}),DymSMem ({unit}),"
    "Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name"
)


def database(path: Path, *, kernels: bool = True, wal: bool = False) -> Path:
    connection = sqlite3.connect(path)
    if wal:
        connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(TABLES + (KERNELS if kernels else ""))
    if kernels:
        for at, correlation in enumerate((5, 6)):
            connection.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 7, ?, ?, 1, 16, 32, 1, 384, 1, 1, 168, 1024,"
                " 147456)",
                (1000 + at * 1000, 1500 + at * 1000, correlation, PROCESS),
            )
            call = 500 + at * 1000
            connection.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 2)",
                (call, call + 50, THREAD, correlation),
            )
        connection.executemany(
            "INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, ?)",
            [
                (400, 1600, 59, None, 3, THREAD),
                (450, 700, 59, "tl:0123456789abcdef", None, THREAD),
                (480, 520, 59, "inner", None, THREAD),
                (490, None, 34, "a mark", None, THREAD),
            ],
        )
    connection.commit()
    if not wal:
        connection.close()
    return path


def test_launches_with_ranges_around_their_calls(tmp_path: Path) -> None:
    (profile,) = load_profiles(database(tmp_path / "report.sqlite"))
    first, second = profile.launches
    assert (first.name, first.start_ns, first.duration_ns) == ("gemm_relu_kernel", 1000, 500)
    assert (first.grid, first.block, first.registers) == ((16, 32, 1), (384, 1, 1), 168)
    assert (first.static_shared_bytes, first.dynamic_shared_bytes) == (1024, 147456)
    assert first.annotation == "tl:0123456789abcdef", "the range that names a compile, not the innermost"
    assert second.annotation == "step"
    (device,) = profile.devices
    assert (device.name, device.arch, device.multiprocessors, device.clock_khz) == (
        "NVIDIA H200",
        "sm_90",
        132,
        1980000,
    )
    assert [profile.lanes[lane].title for lane in profile.flows.start_lane] == ["thread 4", "thread 4"]


def test_without_a_kernel_table_it_says_so(tmp_path: Path) -> None:
    (profile,) = load_profiles(database(tmp_path / "report.sqlite", kernels=False))
    assert "CUPTI_ACTIVITY_KIND_KERNEL" in (profile.nothing_to_show or "")


def test_reading_leaves_no_file_beside_the_database(tmp_path: Path) -> None:
    database(tmp_path / "first.sqlite", wal=True)
    whole = sqlite3.connect(tmp_path / "first.sqlite")
    whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy = tmp_path / "copy" / "report.sqlite"
    copy.parent.mkdir()
    copy.write_bytes((tmp_path / "first.sqlite").read_bytes())
    load_profiles(copy)
    assert [path.name for path in copy.parent.iterdir()] == ["report.sqlite"]


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    path = database(tmp_path / "report.sqlite")
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 3] = b"\xff" * 8192
    path.write_bytes(bytes(data))
    with pytest.raises(ProfileError, match=r"report\.sqlite"):
        load_profiles(path)


def report(path: Path, unit: str, static: str, dynamic: str) -> Path:
    lines = [
        "Generating '/tmp/nsys-report-9f31.sqlite'",
        "[1/1] Executing 'cuda_gpu_trace' stats report",
        "",
        HEADER.format(unit=unit),
        f'1000,500,5,16,32,1,384,1,1,168,{static},{dynamic},,,,,"NVIDIA H200 (0)",1,,7,"gemm<a, b>"',
        '1700,100,6,,,,,,,,,,1.0,2.5,Pageable,Device,"NVIDIA H200 (0)",1,,7,[CUDA memcpy HtoD]',
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("unit", "static", "dynamic", "bytes_known"),
    [("MB", "0.001", "0.147", (None, None)), ("B", "1024", "147456", (1024, 147456))],
)
def test_reports_have_log_lines_before_and_units_in_the_header(
    tmp_path: Path, unit: str, static: str, dynamic: str, bytes_known: tuple[int | None, int | None]
) -> None:
    (profile,) = load_profiles(report(tmp_path / "trace.csv", unit, static, dynamic))
    (launch,) = profile.launches
    assert (launch.name, launch.start_ns, launch.duration_ns, launch.device) == ("gemm<a, b>", 1000, 500, 0)
    assert (launch.static_shared_bytes, launch.dynamic_shared_bytes) == bytes_known
    assert [profile.slice_name(at) for at in range(len(profile.slices))] == ["gemm<a, b>", "[CUDA memcpy HtoD]"]


def test_sums_by_kernel(tmp_path: Path) -> None:
    path = tmp_path / "sum.csv"
    path.write_text(
        "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name\n"
        "98.0,600.5,3,200.2,200.0,199.0,201.5,1.0,gemm_relu_kernel\n"
    )
    (profile,) = load_profiles(path)
    (launch,) = profile.launches
    assert (launch.count, launch.duration_ns, launch.start_ns) == (3, 600500, None)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1000,500,5,16", "the row has 4 cells; expected 21 as in the header"),
        ("soon,500,5,16,32,1,384,1,1,168,0,0,,,,,x,1,,7,k", '"soon" in "Start" is no time'),
        ("1,500,5,many,32,1,384,1,1,168,0,0,,,,,x,1,,7,k", '"many" in "GrdX" is no whole number'),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(HEADER.format(unit="B") + "\n" + row + "\n")
    with pytest.raises(ProfileError, match="line 2") as caught:
        load_profiles(path)
    assert says in str(caught.value)
