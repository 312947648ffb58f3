"""Nsight Systems reports exported to SQLite (``nsys export --type sqlite``)."""

from __future__ import annotations

from msgspec.structs import replace

from tilescope_trace.profile.annotations import annotated
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import Database, Value, opened, tables_of, whole
from tilescope_trace.profile.model import Device, Extent, Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "Nsight Systems SQLite"

_TEXTS = "StringIds"
_KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
_RUNTIME = "CUPTI_ACTIVITY_KIND_RUNTIME"
_COPIES = (("CUPTI_ACTIVITY_KIND_MEMCPY", "memcpy"), ("CUPTI_ACTIVITY_KIND_MEMSET", "memset"))
_RANGES = (59, 60)
"""eventType of NVTX push/pop and start/end ranges (ENUM_NSYS_EVENT_TYPE)."""
_PROCESS_BITS = 24
"""globalTid holds the thread in its low 24 bits and the process above them, as globalPid does (NVIDIA, "SQLite Schema
Reference", serialized process and thread identifiers)."""


def recognise(source: Source) -> bool:
    """A database with the tables that every export has."""
    tables = tables_of(source)
    return _TEXTS in tables and bool(tables & {"META_DATA_EXPORT", "META_DATA_CAPTURE", "EXPORT_META_DATA", _KERNELS})


def load(source: Source) -> Profile:
    """Kernels and copies on streams, calls of CUDA and NVTX ranges on threads. Tables are written lazily: without a
    kernel in the report there is no kernel table, and the profile says so."""
    build = ProfileBuilder(source.path, NAME)
    with opened(source, _TEXTS) as database:
        if _KERNELS not in database.columns:
            return build.finish(
                f"the export has no table {_KERNELS}: it holds no kernel; nsys profile --trace=cuda records them"
            )
        _Reader(database, build).read()
    return build.finish(f"the table {_KERNELS} is empty")


class _Reader:
    def __init__(self, database: Database, build: ProfileBuilder) -> None:
        self._database, self._build = database, build
        self._calls: dict[tuple[int, int], tuple[int, int]] = {}
        self._ranges: dict[int, list[tuple[int, int, str]]] = {}

    def read(self) -> None:
        self._devices()
        self._runtime()
        self._nvtx()
        self._kernels()
        for table, title in _COPIES:
            for start, end, device, stream in self._database.rows(table, ("start", "end", "deviceId", "streamId")):
                span = _span(start, end)
                if span is not None:
                    self._build.slice(self._stream(whole(device), whole(stream)), title, *span)

    def _devices(self) -> None:
        columns = ("id", "name", "computeMajor", "computeMinor", "smCount", "clockRate")
        for number, name, major, minor, count, clock in self._database.rows("TARGET_INFO_GPU", columns):
            hertz = whole(clock)
            capability = (whole(major), whole(minor))
            arch = None if None in capability else "sm_{}{}".format(*capability)
            self._build.devices.append(
                Device(whole(number) or 0, str(name), arch, whole(count), None if hertz is None else hertz // 1000)
            )

    def _runtime(self) -> None:
        columns = ("start", "end", "globalTid", "correlationId", "nameId")
        for start, end, thread, correlation, name in self._database.rows(_RUNTIME, columns):
            span, caller, number = _span(start, end), whole(thread), whole(correlation)
            if span is None or caller is None:
                continue
            lane = self._thread(caller)
            self._build.slice(lane, self._database.text(name), *span)
            if number is not None:
                self._calls[caller >> _PROCESS_BITS, number] = (lane, span[0])

    def _nvtx(self) -> None:
        columns = ("start", "end", "eventType", "text", "textId", "globalTid")
        for start, end, kind, text, key, thread in self._database.rows("NVTX_EVENTS", columns):
            span, caller = _span(start, end), whole(thread)
            if span is None or caller is None or whole(kind) not in _RANGES:
                continue
            name = str(text) if text is not None else self._database.text(key)
            lane = self._build.lane(("nvtx", caller), "NVTX", "annotation", self._thread(caller))
            self._build.slice(lane, name, *span)
            self._ranges.setdefault(self._thread(caller), []).append((span[0], sum(span), name))

    def _kernels(self) -> None:
        build, calls = self._build, []
        columns = (
            "start", "end", "deviceId", "streamId", "correlationId", "globalPid",
            "demangledName|shortName|mangledName", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory",
            "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "clusterX", "clusterY", "clusterZ",
        )  # fmt: skip
        for row in self._database.rows(_KERNELS, columns):
            start, end, device, stream, correlation, process, name, registers, static, dynamic = row[:10]
            span = _span(start, end)
            if span is None:
                continue
            number = whole(correlation)
            launch = Launch(
                name=self._database.text(name),
                start_ns=span[0],
                duration_ns=span[1],
                lane=self._stream(whole(device), whole(stream)),
                device=whole(device),
                grid=_extent(*row[10:13]),
                block=_extent(*row[13:16]),
                cluster=_extent(*row[16:19]),
                static_shared_bytes=whole(static),
                dynamic_shared_bytes=whole(dynamic),
                registers=whole(registers),
                correlation=number,
            )
            index = build.launch(launch)
            call = self._calls.get(((whole(process) or 0) >> _PROCESS_BITS, number or 0))
            if call is not None:
                build.flow("launch", *call, launch.lane, span[0])
                calls.append((*call, index))
        for index, annotation in annotated(calls, self._ranges):
            build.launches[index] = replace(build.launches[index], annotation=annotation)

    def _stream(self, device: int | None, stream: int | None) -> int:
        parent = self._build.lane(("device", device), f"GPU {device}", "device", number=device)
        return self._build.lane(("stream", device, stream), f"stream {stream}", "stream", parent, stream)

    def _thread(self, caller: int) -> int:
        process = caller >> _PROCESS_BITS & (1 << _PROCESS_BITS) - 1
        thread = caller & (1 << _PROCESS_BITS) - 1
        parent = self._build.lane(("process", caller >> _PROCESS_BITS), f"process {process}", "process")
        return self._build.lane(("thread", caller), f"thread {thread}", "host", parent, thread)


def _span(start: Value, end: Value) -> tuple[int, int] | None:
    first, last = whole(start), whole(end)
    return None if first is None or last is None or last < first else (first, last - first)


def _extent(x: Value, y: Value, z: Value) -> Extent | None:
    first, second, third = whole(x), whole(y), whole(z)
    return (first, second, third) if first and second and third else None
