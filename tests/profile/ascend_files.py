"""Small files in the formats of Ascend's profilers, for tests of their importers. Times are around `BASE_NS`."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BASE_NS = 1_736_408_883_704_643_212
PYTHON, CANN, HARDWARE, FREQUENCY = 300, 400, 500, 600
THREAD, STREAM = 77, 2

Event = dict[str, Any]


def micros(ns: int) -> str:
    """µs as text with three decimals, as msprof writes times."""
    return f"{ns // 1000}.{ns % 1000:03d}"


def names() -> list[Event]:
    """Metadata of processes and threads."""
    made = []
    for pid, name, labels in (
        (PYTHON, "Python", "CPU"), (CANN, "CANN", "CPU"), (HARDWARE, "Ascend Hardware", "NPU"),
        (FREQUENCY, "AI Core Freq", "NPU"),
    ):  # fmt: skip
        made.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}})
        made.append({"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": {"labels": labels}})
    made.append({"ph": "M", "name": "thread_name", "pid": HARDWARE, "tid": STREAM, "args": {"name": "Stream 2"}})
    return made


def launch(number: int, name: str, start_ns: int, dur: float, task_type: str = "AI_CORE") -> list[Event]:
    """A call on the host 40 µs before, the task that it starts, and the arrow between."""
    called = micros(start_ns - 40_000)
    arrow = {"cat": "HostToDevice", "id": str(number), "name": f"HostToDevice{number}"}
    return [
        {"ph": "X", "name": "launch", "pid": CANN, "tid": THREAD, "ts": called, "dur": 12.5,
         "args": {"connection_id": number, "level": "node"}},
        {"ph": "s", **arrow, "pid": CANN, "tid": THREAD, "ts": called},
        {"ph": "X", "name": name, "pid": HARDWARE, "tid": STREAM, "ts": micros(start_ns), "dur": dur,
         "args": {"Task Type": task_type, "Physic Stream Id": STREAM, "Task Id": number, "connection_id": number}},
        {"ph": "f", **arrow, "pid": HARDWARE, "tid": STREAM, "ts": micros(start_ns), "bp": "e"},
    ]  # fmt: skip


def timeline() -> list[Event]:
    """Two kernels, a copy between them, a range around the second, a counter."""
    return [
        *launch(1, "main_kernel_mix_aic", BASE_NS, 53.741),
        *launch(2, "MEMCPY_ASYNC", BASE_NS + 60_000, 4.0, "SDMA_SQE"),
        *names(),
        {"ph": "X", "name": "tl:0123456789ab", "pid": PYTHON, "tid": THREAD, "ts": micros(BASE_NS + 35_000),
         "dur": 30.0, "cat": "cpu_op"},
        *launch(3, "Add", BASE_NS + 90_000, 1.5, "MIX_AIV"),
        {"ph": "C", "name": "AI Core Freq", "pid": FREQUENCY, "tid": 0, "ts": micros(BASE_NS), "args": {"MHz": 1800}},
    ]  # fmt: skip


def write_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_table(path: Path, header: Sequence[str], *rows: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([header, *rows])
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


DETAILS = ("Step Id", "Task ID", "Stream ID", "Name", "Type", "Accelerator Core", "Start Time(us)", "Duration(us)",
           "Block Dim", "Mix Block Dim", "Input Shapes", "aic_mac_ratio", "aiv_vec_time(us)",
           "cube_utilization(%)")  # fmt: skip


def write_details(path: Path) -> Path:
    """kernel_details.csv of the kernels of `timeline`, and one communication."""
    return write_table(
        path, DETAILS,
        (1, 1, STREAM, "main_kernel_mix_aic", "main", "MIX_AIC", micros(BASE_NS) + "\t", 53.741, 20, 40,
         '"1024,1024;1024,1024"', 0.81, "N/A", 78.5),
        (1, "N/A", "N/A", "hcom_allReduce__1", "hcom_allReduce_", "HCCL", micros(BASE_NS + 70_000) + "\t", 10.0, 0,
         "N/A", "N/A", "N/A", "N/A", "NA"),
        (1, 3, STREAM, "Add", "Add", "AI_VECTOR_CORE", micros(BASE_NS + 90_000) + "\t", 1.5, 8, 0, '"1024"', 0,
         0.7, 0),
    )  # fmt: skip


def write_database(path: Path, block_column: str = "blockDim") -> Path:
    """The same kernels as a database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = ("main_kernel_mix_aic", "MIX_AIC", "MEMCPY_ASYNC", "launch", "tl:0123456789ab", "aic_mac_ratio", "Add",
             "AI_VECTOR_CORE")  # fmt: skip
    of = {text: key for key, text in enumerate(texts)}
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE NPU_INFO (id INTEGER, name TEXT);"
        "CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER,"
        " globalTaskId INTEGER, taskType INTEGER, streamId INTEGER, taskId INTEGER);"
        f"CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER, {block_column} INTEGER,"
        " mixBlockDim INTEGER, taskType INTEGER);"
        "CREATE TABLE TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);"
        "CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, globalTid INTEGER,"
        " connectionId INTEGER, name INTEGER);"
        "CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER);"
        "CREATE TABLE AICORE_FREQ (deviceId INTEGER, timestampNs NUMERIC, freq INTEGER);"
    )
    connection.executemany("INSERT INTO STRING_IDS VALUES (?, ?)", list(enumerate(texts)))
    connection.execute("INSERT INTO NPU_INFO VALUES (0, 'Ascend910B4')")
    tasks = [(BASE_NS, 53_741, 1, "MIX_AIC"), (BASE_NS + 60_000, 4_000, 2, "MEMCPY_ASYNC"),
             (BASE_NS + 90_000, 1_500, 3, "AI_VECTOR_CORE")]  # fmt: skip
    for start, duration, number, kind in tasks:
        row = (start, start + duration, 0, number, number, of[kind], STREAM, number)
        connection.execute("INSERT INTO TASK VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        called = (start - 40_000, start - 27_500, (9 << 32) | THREAD, number, of["launch"])
        connection.execute("INSERT INTO CANN_API VALUES (?, ?, ?, ?, ?)", called)
    around = (str(BASE_NS + 35_000), str(BASE_NS + 65_000), (9 << 32) | THREAD, None, of["tl:0123456789ab"])
    connection.execute("INSERT INTO PYTORCH_API VALUES (?, ?, ?, ?, ?)", around)
    connection.execute(
        "INSERT INTO COMPUTE_TASK_INFO VALUES (?, 1, 20, 40, ?)", (of["main_kernel_mix_aic"], of["MIX_AIC"])
    )
    connection.execute("INSERT INTO COMPUTE_TASK_INFO VALUES (?, 3, 8, 0, ?)", (of["Add"], of["AI_VECTOR_CORE"]))
    connection.execute("INSERT INTO TASK_PMU_INFO VALUES (1, ?, 0.81)", (of["aic_mac_ratio"],))
    connection.execute("INSERT INTO AICORE_FREQ VALUES (0, ?, 1800)", (BASE_NS,))
    connection.commit()
    connection.close()
    return path


CORE = "core0.cubecore0"
STACK = "/opt/ascend/tile/copy.h:12\n/tmp/kernel.cpp:40"


def instruction(pipe: str, name: str, ts: float, dur: float, address: int, code: str = STACK) -> Event:
    """An instruction of a simulated core; times in µs."""
    args = {"code": code, "detail": "XD:X29=0x7fa0,", "pc_addr": hex(address)}
    return {"args": args, "cname": "startup", "dur": dur, "name": name, "ph": "X", "pid": CORE, "tid": pipe, "ts": ts}


def flag(name: str, pipe: str, begin: float, end: float, address: int, number: str = "0") -> list[Event]:
    """SET_FLAG or WAIT_FLAG from MTE2 to MTE1, as its begin and its end."""
    args = {"code": "/tmp/kernel.cpp:41", "detail": "PIPE:MTE2,TRIGGERPIPE:MTE1,FLAGID:0,", "pc_addr": hex(address)}
    common = {"cname": "black", "id": f"{CORE}_{number}", "name": name, "pid": CORE, "tid": pipe}
    return [{"args": args, **common, "ph": "B", "ts": begin}, {"args": {}, **common, "ph": "E", "ts": end}]


def simulation() -> list[Event]:
    """A load, a multiplication that waits for it, and its store; one cycle is 0.54 ns."""
    cycle = 1 / 1850
    return [
        {"args": {"sort_index": 1}, "name": "process_sort_index", "ph": "M", "pid": CORE, "tid": "NA"},
        *[instruction("SCALAR", "MOV_XD_IMM", 3.0 + index * cycle, cycle, 0x1000) for index in range(1850)],
        instruction("MTE2", "MOV_OUT_TO_L1", 3.0, 0.5, 0x1004),
        *flag("SET_FLAG", "MTE2", 3.499, 3.5, 0x1008),
        *flag("WAIT_FLAG", "MTE1", 3.1, 3.5, 0x100C),
        {"cat": "MTE2ToMTE1", "id": f"{CORE}_0", "name": "flow", "ph": "s", "pid": CORE, "tid": "MTE2", "ts": 3.5},
        {"cat": "MTE2ToMTE1", "id": f"{CORE}_0", "name": "flow", "ph": "t", "pid": CORE, "tid": "MTE1", "ts": 3.5},
        instruction("CUBE", "MMAD", 3.6, 0.25, 0x1010, "/tmp/kernel.cpp:42"),
        {
            "args": {"throughput(MB/s)": 12.5},
            "name": "GM_TO_L1",
            "ph": "C",
            "pid": "MTE Throughput",
            "tid": 0,
            "ts": 3,
        },
    ]


def simulated(events: Sequence[Event]) -> dict[str, Any]:
    """The document around events of the simulator."""
    return {"displayTimeUnit": "ns", "profilingType": "op", "schemaVersion": 2, "traceEvents": list(events)}


def block(kind: int, content: bytes | str | dict[str, Any], path: str = "") -> bytes:
    """A block of ``visualize_data.bin``; ``path`` for source text."""
    data = (
        content
        if isinstance(content, bytes)
        else (content if isinstance(content, str) else json.dumps(content)).encode()
    )
    padding = -len(data) % 4
    header = struct.pack("<QBBBB", len(data) + padding, kind, padding, 0x5A, 0x5A)
    return header + (path.encode().ljust(4096, b"\0") if path else b"") + data + bytes(padding)


def base(**more: object) -> dict[str, Any]:
    """The block about a mixed kernel as a whole."""
    return {"name": "main_kernel_mix_aic", "soc": "Ascend910B4", "op_type": "mix", "block_dim": "2", "device_id": "3",
            "mix_block_dim": "4", "duration": 300.0660095214844, "advice": [],
            "mix_block_detail": {"head_name": ["Block ID", "Cube0 Duration (μs)", "Vector0 Duration (μs)"],
                                 "row": [{"value": ["0", "250.5", "133.25"]}], "size": [1, 3]}, **more}  # fmt: skip
