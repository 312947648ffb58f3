"""torch.profiler (Kineto): Chrome JSON with kernels on streams, launching calls and annotations on host threads."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tilescope_trace.profile.annotations import annotated
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent, NameArgs, times
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Device, Extent, LaneKind, Launch, Metric, Profile
from tilescope_trace.profile.source import Source

NAME = "torch.profiler"

_MARK = re.compile(rb'"schemaVersion"\s*:|"cat"\s*:\s*"(?:cuda_runtime|cpu_op|ac2g|user_annotation)"')
_LAUNCHING = ("cuda_runtime", "cuda_driver")
_ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation", "cuda_profiler_range")
_METRICS = ("est. achieved occupancy %", "blocks per SM", "warps per SM")
_UNITS = {"est. achieved occupancy %": "%"}


class _KernelArgs(msgspec.Struct, gc=False):
    device: int | None = None
    correlation: int | None = None
    kind: str | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    registers: int | None = msgspec.field(default=None, name="registers per thread")
    shared: int | None = msgspec.field(default=None, name="shared memory")
    occupancy: float | None = msgspec.field(default=None, name="est. achieved occupancy %")
    blocks: float | None = msgspec.field(default=None, name="blocks per SM")
    warps: float | None = msgspec.field(default=None, name="warps per SM")


class _CallArgs(msgspec.Struct, gc=False):
    correlation: int | None = None


class _Kernel(msgspec.Struct, gc=False):
    """A launch whose annotation is not known before the end of the trace. ``metrics`` only where CUPTI's range
    profiler measured them: it counts, and Kineto draws its ranges one after another, all of one length."""

    name: str
    start: int
    duration: int
    lane: int
    args: _KernelArgs
    metrics: dict[str, Metric] | None = None


class _DeviceProperties(msgspec.Struct):
    id: int
    name: str = ""
    major: int | None = msgspec.field(default=None, name="computeMajor")
    minor: int | None = msgspec.field(default=None, name="computeMinor")
    multiprocessors: int | None = msgspec.field(default=None, name="numSms")


def recognise(source: Source) -> bool:
    """An object with Kineto's ``schemaVersion``, or events of its categories."""
    head = source.head.lstrip()
    return head.startswith(b"{") and b'"traceEvents"' in head and _MARK.search(head) is not None


def load(source: Source) -> Profile:
    """Kernels become launches; "shared memory" is the sum of static and dynamic, which Kineto does not tell apart."""
    reader = _Reader(source)
    with source.open() as stream:
        events = ArrayStream(source, stream, TRACE_EVENTS, ChromeEvent)
        reader.header(events.header)
        for event in events:
            reader.event(event)
        reader.header(events.trailer)
    return reader.finish()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._builder = ProfileBuilder(source.path, NAME)
        self._kernel_args = msgspec.json.Decoder(_KernelArgs, strict=False)
        self._call_args = msgspec.json.Decoder(_CallArgs, strict=False)
        self._name_args = msgspec.json.Decoder(NameArgs, strict=False)
        self._processes: dict[Any, NameArgs] = {}
        self._threads: dict[tuple[Any, Any], str] = {}
        self._lanes: dict[tuple[Any, Any, str | None], int] = {}
        self._kernels: list[_Kernel] = []
        self._calls: dict[int, int] = {}
        self._metrics: dict[tuple[float | None, ...], Mapping[str, Metric]] = {}
        self._extents: dict[Extent, Extent] = {}
        self._annotations: dict[int, list[tuple[int, int, str]]] = {}

    def header(self, keys: dict[str, Any]) -> None:
        try:
            devices = msgspec.convert(keys.get("deviceProperties") or [], list[_DeviceProperties], strict=False)
        except msgspec.ValidationError as error:
            raise ProfileError(
                self._source.path, str(error), "devices as Kineto writes them", "deviceProperties"
            ) from (error)
        for device in devices:
            nvidia = device.major is not None and "NVIDIA" in device.name
            arch = f"sm_{device.major}{device.minor or 0}" if nvidia else None
            self._builder.devices.append(Device(device.id, device.name, arch, device.multiprocessors))

    def event(self, event: ChromeEvent) -> None:
        if event.ph == "X":
            self._complete(event)
        elif event.ph == "M":
            self._metadata(event)

    def _complete(self, event: ChromeEvent) -> None:
        start, duration = times(self._source, event)
        name, category = str(event.name), event.cat
        lane = self._lanes.get((event.pid, event.tid, category))
        if lane is None:
            lane = self._lanes[event.pid, event.tid, category] = self._lane(event)
        if category == "kernel" or category == "cuda_profiler_range":
            self._kernel(event, name, lane, start, duration)
            return
        index = self._builder.slice(lane, name, start, duration)
        if category in _LAUNCHING:
            call = self._args(self._call_args, event)
            if call.correlation is not None:
                self._calls[call.correlation] = index
        elif category == "user_annotation":
            self._annotations.setdefault(lane, []).append((start, start + duration, name))

    def _kernel(self, event: ChromeEvent, name: str, lane: int, start: int, duration: int) -> None:
        if event.cat == "cuda_profiler_range":
            values: dict[str, float] = self._args(msgspec.json.Decoder(dict[str, float], strict=False), event)
            metrics = {metric: Metric(value) for metric, value in values.items() if math.isfinite(value)}
            self._builder.slice(lane, name, start, duration, launch=len(self._kernels))
            self._kernels.append(_Kernel(name, start, duration, lane, _KernelArgs(), metrics))
            self._builder.note("ranges of CUPTI's profiler have counts and no times: all are drawn with one length")
            return
        args: _KernelArgs = self._args(self._kernel_args, event)
        self._builder.slice(lane, name, start, duration, launch=len(self._kernels))
        self._kernels.append(_Kernel(name, start, duration, lane, args))

    def _launch(self, kernel: _Kernel, annotation: str | None) -> Launch:
        args = kernel.args
        return Launch(
            name=kernel.name,
            start_ns=kernel.start,
            duration_ns=None if kernel.metrics is not None else kernel.duration,
            lane=kernel.lane,
            device=args.device,
            grid=self._extent(args.grid),
            block=self._extent(args.block),
            shared_bytes=args.shared,
            registers=args.registers,
            correlation=args.correlation,
            annotation=annotation,
            kind=args.kind,
            metrics=kernel.metrics or self._measured(args.occupancy, args.blocks, args.warps),
        )

    def _measured(self, *values: float | None) -> Mapping[str, Metric]:
        """One mapping for all launches that are alike: there may be hundreds of thousands."""
        known = self._metrics.get(values)
        if known is None:
            pairs = zip(_METRICS, values, strict=True)
            told = ((key, value) for key, value in pairs if value is not None and math.isfinite(value))
            known = {key: Metric(value, _UNITS.get(key, "")) for key, value in told}
            self._metrics[values] = known
        return known

    def _extent(self, extent: Extent | None) -> Extent | None:
        return None if extent is None else self._extents.setdefault(extent, extent)

    def _args(self, decoder: msgspec.json.Decoder[Any], event: ChromeEvent) -> Any:
        try:
            return decoder.decode(bytes(event.args) or b"{}")
        except msgspec.MsgspecError as error:
            raise ProfileError(
                self._source.path, str(error), "arguments as Kineto writes them", f'event "{event.name}"'
            ) from error

    def _lane(self, event: ChromeEvent) -> int:
        build, pid = self._builder, event.pid
        process = build.lane(("process", pid), f"process {pid}", "process")
        if event.cat not in _ON_DEVICE:
            kind: LaneKind = "overview" if event.cat == "Trace" else "host"
            return build.lane(("thread", pid, event.tid), f"thread {event.tid}", kind, process)
        number = event.tid if isinstance(event.tid, int) else None
        stream = build.lane(("thread", pid, event.tid), f"stream {event.tid}", "stream", process, number)
        if event.cat != "gpu_user_annotation":
            return stream
        return build.lane(("annotations", pid, event.tid), "annotations", "annotation", stream)

    def _metadata(self, event: ChromeEvent) -> None:
        if event.name not in ("process_name", "process_labels", "thread_name"):
            return
        args: NameArgs = self._args(self._name_args, event)
        if event.name == "thread_name":
            self._threads[event.pid, event.tid] = (args.name or "").strip()
        else:
            known = self._processes.setdefault(event.pid, NameArgs())
            known.name, known.labels = args.name or known.name, args.labels or known.labels

    def finish(self) -> Profile:
        build = self._builder
        for pid, process in self._processes.items():
            title = " ".join(part for part in (process.labels, process.name) if part)
            build.retitle(("process", pid), title or f"process {pid}")
        for (pid, tid), title in self._threads.items():
            build.retitle(("thread", pid, tid), title)
        self._join_calls()
        if not build.launches and len(build.slices):
            build.note(
                "no kernel ran on a device while this was recorded: profile with"
                " activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]"
            )
        return build.finish("the trace has no events with a duration: nothing was recorded while the profiler was on")

    def _join_calls(self) -> None:
        """The launches, with annotations around the launching calls, and arrows from these to the kernels."""
        build, calls = self._builder, []
        for index, kernel in enumerate(self._kernels):
            correlation = kernel.args.correlation
            call = self._calls.get(correlation) if correlation is not None else None
            if call is not None:
                lane, start = build.slices.lane[call], build.slices.start_ns[call]
                build.flow("launch", lane, start, kernel.lane, kernel.start)
                calls.append((lane, start, index))
        found = dict(annotated(calls, self._annotations))
        for index, kernel in enumerate(self._kernels):
            build.launches.append(self._launch(kernel, found.get(index)))
