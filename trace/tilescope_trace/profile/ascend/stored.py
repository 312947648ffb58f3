"""From the tables of an Ascend database to launches, slices, arrows and counters.

Times are ns, bandwidths B/s, memory bytes, frequencies MHz (Huawei, "Profile Data File Reference (DB)", Units).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tilescope_trace.profile.annotations import COMPILE_PREFIX
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import Database, Value, whole
from tilescope_trace.profile.model import Device, LaneKind, Launch

from .annotations import Range, annotate
from .measured import Columns, Measured, as_number
from .tasks import grid_of

TEXTS = "STRING_IDS"
"""The table of texts."""

_COUNTERS = (
    ("AICORE_FREQ", "AI Core frequency", "freq", "MHz", None),
    ("HBM", "HBM bandwidth", "bandwidth", "B/s", "hbmId"),
    ("LLC", "LLC throughput", "throughput", "B/s", "llcId"),
    ("LLC", "LLC hit rate", "hitRate", "%", "llcId"),
    ("DDR", "DDR read", "read", "B/s", None),
    ("DDR", "DDR write", "write", "B/s", None),
    ("NPU_MEM", "memory in use", "hbm", "B", None),
)
"""Table, title, value, unit, and the column that numbers the part it is of."""


class _Kernel(NamedTuple):
    name: str
    kind: str
    blocks: int | None
    metrics: dict[str, str | float | None]


class Stored:
    """Reads a database into ``builder``."""

    def __init__(self, database: Database, builder: ProfileBuilder) -> None:
        self._database, self._builder = database, builder
        self._calls: dict[int, tuple[int, int]] = {}
        self._threads: dict[int, object] = {}
        self._ranges: dict[object, list[Range]] = defaultdict(list)
        self._left_out = 0

    def read(self) -> None:
        """Everything."""
        for number, name in self._database.rows("NPU_INFO", ("id", "name")):
            self._builder.devices.append(Device(whole(number) or 0, str(name)))
        self._host("CANN_API", "CANN", "name")
        self._host("PYTORCH_API", "Python", "name")
        self._host("MSTX_EVENTS", "annotations (mstx)", "message", "annotation")
        self._tasks()
        self._spans("COMMUNICATION_OP", "communication", "opName", "group")
        self._steps()
        self._counters()
        annotate(self._builder, self._threads, self._ranges)
        if self._left_out:
            self._builder.note(f"{self._left_out} rows are left out: their times are no whole numbers of ns")

    def _host(self, table: str, process: str, name: str, kind: LaneKind = "host") -> None:
        texts, builder = self._database.text, self._builder
        for start, duration, (thread, text, connection) in self._timed(table, ("globalTid", name, "connectionId")):
            parent = builder.lane(("process", process), process, "process")
            number = (whole(thread) or 0) & 0xFFFFFFFF
            lane = builder.lane((process, thread), f"thread {number}", kind, parent, number)
            self._threads[lane] = thread
            title = texts(text)
            builder.slice(lane, title, start, duration)
            call = whole(connection)
            if table == "CANN_API" and call is not None:
                self._calls[call] = (lane, start)
            if title.startswith(COMPILE_PREFIX):
                self._ranges[thread].append(Range(start, start + duration, title))

    def _tasks(self) -> None:
        builder, kernels, texts = self._builder, self._kernels(), self._database.text
        names = {whole(key): texts(name) for key, name in self._database.rows(
            "COMMUNICATION_TASK_INFO", ("globalTaskId", "name"))}  # fmt: skip
        columns = Columns.of(sorted({name for kernel in kernels.values() for name in kernel.metrics}))
        wanted = ("deviceId", "streamId", "globalTaskId", "taskType", "connectionId")
        for start, duration, (device, stream, key, kind, connection) in self._timed("TASK", wanted):
            task, call, parent = whole(key), whole(connection), self._device(device)
            lane = builder.lane(
                ("stream", device, stream), f"Stream {whole(stream)}", "stream", parent, whole(stream)
            )
            kernel = kernels.get(task)
            if kernel is None:
                builder.slice(lane, names.get(task) or texts(kind), start, duration, detail=texts(kind))
            else:
                metrics = Measured(columns, [kernel.metrics.get(name) for name in columns.names])
                builder.launch(Launch(kernel.name, start, duration, lane, whole(device), grid_of(kernel.blocks),
                                      correlation=call, kind=kernel.kind, metrics=metrics))  # fmt: skip
            if call in self._calls:
                builder.flow("HostToDevice", *self._calls[call], lane, start)

    def _kernels(self) -> dict[int | None, _Kernel]:
        texts = self._database.text
        wanted = ("globalTaskId", "name", "taskType", "blockDim|block_dim", "mixBlockDim", "opType", "inputShapes")
        kernels = {}
        for key, name, kind, blocks, mixed, operator, shapes in self._database.rows("COMPUTE_TASK_INFO", wanted):
            metrics = {"Mix Block Dim": whole(mixed), "OP Type": texts(operator), "Input Shapes": texts(shapes)}
            kernels[whole(key)] = _Kernel(texts(name), texts(kind), whole(blocks), dict(metrics))
        for key, name, value in self._database.rows("TASK_PMU_INFO", ("globalTaskId", "name", "value")):
            kernel = kernels.get(whole(key))
            if kernel is not None and isinstance(value, (int, float)):
                kernel.metrics[texts(name)] = value
        return kernels

    def _spans(self, table: str, title: str, name: str, kind: LaneKind) -> None:
        for start, duration, (text,) in self._timed(table, (name,)):
            self._builder.slice(self._builder.lane(table, title, kind), self._database.text(text), start, duration)

    def _steps(self) -> None:
        for start, duration, (number,) in self._timed("STEP_TIME", ("id",)):
            self._builder.slice(
                self._builder.lane("steps", "steps", "overview"), f"step {whole(number)}", start, duration
            )

    def _counters(self) -> None:
        for table, title, value, unit, part in _COUNTERS:
            wanted = ("timestampNs", value, "deviceId", part or "deviceId", "type")
            for time, measured, device, number, kind in self._database.rows(table, wanted):
                at, amount = whole(time), as_number(measured) if isinstance(measured, (int, float)) else None
                if at is None or amount is None:
                    continue
                of = f"{title} {whole(number)}" if part else title
                direction = self._database.text(kind) if kind is not None else ""
                self._builder.count(" ".join(filter(None, (of, direction))), at, amount, unit, self._device(device))

    def _device(self, number: Value) -> int:
        return self._builder.lane(("device", number), f"device {whole(number)}", "device", number=whole(number))

    def _timed(self, table: str, columns: tuple[str, ...]) -> Iterator[tuple[int, int, tuple[Value, ...]]]:
        for begin, end, *values in self._database.rows(table, ("startNs", "endNs", *columns)):
            start, stop = whole(begin), whole(end)
            if start is None or stop is None or stop < start:
                self._left_out += 1
            else:
                yield start, stop - start, tuple(values)
