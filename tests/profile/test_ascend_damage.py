"""Damaged files of Ascend's profilers: whatever is in them, either a profile or a message comes of it."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.importers import (
    ascend_board,
    ascend_database,
    ascend_executed,
    ascend_simulator,
    ascend_tables,
    ascend_trace,
    ascend_visualize,
)
from tilescope_trace.profile.source import Source

from .ascend_files import (
    base,
    block,
    simulated,
    simulation,
    timeline,
    write_database,
    write_details,
    write_json,
    write_table,
)

STRANGE = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**40), 10**40), st.floats(), st.text(max_size=6),
    st.sampled_from([[], {}, [[1], {"a": None}], "1" * 400, "1e999999", "-9223372036854775809", "NaN"]),
)  # fmt: skip

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def instructions() -> bytes:
    entry = {"Address": "0x10", "Source": "VADD", "AscendC Inner Code": "/k.cpp:9", "Cycles": [4],
             "Process Bytes": [8],
             "Stall Sampling(All Samples)": {"Details": {"Active": 1, "Others": 2}}}  # fmt: skip
    return block(4, {"Cores": ["core0.veccore0"], "Instructions": [entry]})


def write_blocks(path: Path) -> Path:
    lines = {"Files": [{"Source": "/k.cpp", "Lines": [{"Line": 9, "Cycles": [4]}]}]}
    trace = simulated(simulation()[-9:])
    path.write_bytes(
        block(5, base()) + block(1, "int x;", "/k.cpp") + instructions() + block(3, lines) + block(2, trace)
    )
    return path


def write_instructions(path: Path) -> Path:
    return write_table(path, ("instr", "addr", "pipe", "call_count", "cycles"), ("MMAD", 16, "CUBE", 4, 400))


def write_pipes(path: Path) -> Path:
    return write_table(path, ("block_id", "sub_block_id", "aic_time(us)"), (0, "cube0", 1.5), (0, "vector0", "NA"))


FORMATS: dict[str, tuple[Any, Callable[[Path], Path]]] = {
    "timeline": (ascend_trace, lambda path: write_json(path, timeline())),
    "simulator": (ascend_simulator, lambda path: write_json(path, simulated(simulation()[-9:]))),
    "details": (ascend_tables, write_details),
    "instructions": (ascend_executed, write_instructions),
    "pipes": (ascend_board, write_pipes),
    "blocks": (ascend_visualize, write_blocks),
    "database": (ascend_database, write_database),
}


def read(importer: Any, path: Path) -> None:
    """Recognise and load: nothing but a ProfileError that names the file may come of it."""
    source = Source(path)
    if not importer.recognise(source):
        return
    message = ""
    try:
        importer.load(source)
    except ProfileError as error:
        message = str(error)
    assert not message or (message.startswith(str(path)) and "; expected " in message)


@pytest.mark.parametrize("name", FORMATS)
@QUICK
@given(data=st.data())
def test_cut_off_or_with_other_bytes(name: str, data: st.DataObject) -> None:
    importer, write = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "profile")
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(0, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
        read(importer, path)


def changed(value: Any, data: st.DataObject) -> Any:
    """``value`` with something strange at a place in it, or without it."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        if data.draw(st.booleans()):
            return {**value, key: changed(value[key], data)}
        return {name: inner for name, inner in value.items() if name != key}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], changed(value[index], data), *value[index + 1 :]]
    return data.draw(STRANGE)


@pytest.mark.parametrize("name", ["timeline", "simulator"])
@QUICK
@given(data=st.data())
def test_values_of_other_types(name: str, data: st.DataObject) -> None:
    importer, write = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "profile")
        value = json.loads(path.read_text())
        events = value if isinstance(value, list) else value["traceEvents"]
        index = data.draw(st.integers(0, len(events) - 1))
        events[index] = changed(events[index], data)
        read(importer, write_json(path, value))


@QUICK
@given(data=st.data())
def test_blocks_with_values_of_other_types(data: st.DataObject) -> None:
    kinds = {
        3: {"Files": [{"Source": "/k.cpp", "Lines": [{"Line": 9, "Cycles": [4]}]}]},
        5: base(),
        6: {"subblock_detail": [{"block_id": "0", "block_type": "cube0", "name": "n", "unit": 3, "value": 1.5}]},
        9: {"table_per_block": [{"block_id": 0, "table_detail": [
            {"table_name": "L1", "header_name": ["", "n(B)"], "row": [{"name": "r", "value": ["1"]}]}]}]},
        12: {"op_detail": [{"core_id": 0, "core_detail": [
            {"cycles": "4", "subcore_id": "0", "subcore_type": "cube"}]}]},
        13: {"advice": "a", "multiple_rooflines": [{"title": "t", "rooflines": [{"bw_name": "b", "ratio": "0.5"}]}]},
        15: {"top_stall_reason_table": {"Others": 4}},
    }  # fmt: skip
    kind = data.draw(st.sampled_from([4, *kinds]))
    value = json.loads(instructions()[12:].rstrip(b"\0")) if kind == 4 else kinds[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile"
        path.write_bytes(block(kind, json.dumps(changed(value, data))))
        read(ascend_visualize, path)


@pytest.mark.parametrize("name", ["details", "instructions", "pipes"])
@QUICK
@given(data=st.data())
def test_tables_with_other_cells(name: str, data: st.DataObject) -> None:
    importer, write = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "profile")
        header, *rows = path.read_text().splitlines()
        cells = rows[0].split(",")
        cells[data.draw(st.integers(0, len(cells) - 1))] = str(data.draw(STRANGE))
        path.write_text("\n".join([header, ",".join(cells), *rows[1:]]) + "\n", errors="replace")
        read(importer, path)


@pytest.mark.parametrize("table", ["TASK", "STRING_IDS", "COMPUTE_TASK_INFO", "CANN_API", "AICORE_FREQ", "NPU_INFO"])
@QUICK
@given(data=st.data())
def test_databases_with_other_cells(table: str, data: st.DataObject) -> None:
    cell = st.one_of(
        st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=5), st.binary(max_size=5)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = write_database(Path(folder) / "profile")
        connection = sqlite3.connect(path)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = data.draw(st.sampled_from(columns))
        if (table, column) != ("STRING_IDS", "id"):
            value = data.draw(cell.filter(lambda one: not isinstance(one, str) or one.isprintable()))
            connection.execute(f'UPDATE {table} SET "{column}" = ?', (value,))
        connection.commit()
        connection.close()
        read(ascend_database, path)
