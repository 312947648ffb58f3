"""CUPTI activity records as JSON: a list of kernel records with the attributes that cupti-python gives them."""

from __future__ import annotations

import msgspec

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "CUPTI activity records"


class _Record(msgspec.Struct, gc=False):
    """``CUpti_ActivityKernel``; records of other kinds have no grid."""

    name: str = ""
    start: int = 0
    end: int = 0
    device_id: int | None = None
    stream_id: int | None = None
    correlation_id: int | None = None
    registers_per_thread: int | None = None
    static_shared_memory: int | None = None
    dynamic_shared_memory: int | None = None
    grid_x: int = 0
    grid_y: int = 1
    grid_z: int = 1
    block_x: int = 0
    block_y: int = 1
    block_z: int = 1
    cluster_x: int = 0
    cluster_y: int = 0
    cluster_z: int = 0


def recognise(source: Source) -> bool:
    """A list of records with the grid and correlation of a kernel."""
    head = source.head.lstrip()
    return head.startswith(b"[") and b'"grid_x"' in head and b'"correlation_id"' in head


def load(source: Source) -> Profile:
    """Launches on streams; times are CUPTI's, in ns."""
    build = ProfileBuilder(source.path, NAME)
    with source.open() as stream:
        for record in ArrayStream(source, stream, "", _Record):
            if record.grid_x:
                build.launch(_launch(build, record))
    return build.finish("no record is of a kernel: enable CUPTI's activity kind CONCURRENT_KERNEL")


def _launch(build: ProfileBuilder, record: _Record) -> Launch:
    device = build.lane(("device", record.device_id), f"GPU {record.device_id}", "device", number=record.device_id)
    stream = record.stream_id
    lane = build.lane(("stream", record.device_id, stream), f"stream {stream}", "stream", device, stream)
    return Launch(
        name=record.name,
        start_ns=record.start,
        duration_ns=record.end - record.start,
        lane=lane,
        device=record.device_id,
        grid=(record.grid_x, record.grid_y, record.grid_z),
        block=(record.block_x, record.block_y, record.block_z),
        cluster=(record.cluster_x, record.cluster_y, record.cluster_z) if record.cluster_x else None,
        static_shared_bytes=record.static_shared_memory,
        dynamic_shared_bytes=record.dynamic_shared_memory,
        registers=record.registers_per_thread,
        correlation=record.correlation_id,
    )
