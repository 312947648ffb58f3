"""From the blocks of ``visualize_data.bin`` to a launch, its parts and its samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Device, Launch, Metric, Samples
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.times import BadTimeError, ns_of_us

from .blocks import Block, Kind, blocks
from .counters import split_unit
from .executed import Executed, instructions_of, lines_of
from .measured import as_number
from .simulated import Simulated
from .tasks import grid_of

Metrics = dict[str, Metric]
_REPEATED = (Kind.MEMORY_MAP,)
"""Blocks with nothing that is not in another: the memory map is drawn from the numbers of the memory table."""
_UNITS = {0: "us", 1: "instructions", 2: "B", 3: "%", 4: "operations"}


class Visualized:
    """Reads a file into ``builder``, as one launch. ``with_trace`` is whether its timeline is wanted; ``launch`` and
    ``parts`` are what other files beside it said: they count, and are added to."""

    def __init__(
        self,
        source: Source,
        builder: ProfileBuilder,
        with_trace: bool = True,
        launch: Launch | None = None,
        parts: dict[str, Metrics] | None = None,
    ) -> None:
        self._source, self._builder, self._with_trace = source, builder, with_trace
        self._launch = launch
        self._metrics: Metrics = {}
        self._parts: dict[str, Metrics] = defaultdict(dict, parts or {})
        self._timeline: Simulated | None = None
        self._executed = Executed()
        self._stalls: Mapping[str, int] = {}

    def read(self) -> None:
        """All blocks."""
        readers: dict[int, Callable[[Block], None]] = {
            Kind.SOURCE: self._text,
            Kind.TRACE: self._trace,
            Kind.LINES: lambda block: lines_of(block, self._executed),
            Kind.INSTRUCTIONS: lambda block: instructions_of(block, self._executed, self._parts),
            Kind.BASE: self._base,
            Kind.LOAD_CHART: self._load,
            Kind.LOAD_TABLE: self._load,
            Kind.MEMORY_TABLE: self._memory,
            Kind.CORES: self._cores,
            Kind.ROOFLINE: self._roofline,
            Kind.STALLS: self._reasons,
        }
        for block in blocks(self._source):
            reader = readers.get(block.kind)
            if reader is None:
                if block.kind not in _REPEATED:
                    self._builder.note(f"blocks of type {block.kind} are not shown")
                continue
            try:
                reader(block)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                if isinstance(error, ProfileError):
                    raise
                raise block.wrong(f"{type(error).__name__} {error}", f"a block of type {block.kind}") from error

    def finish(self) -> None:
        """Add the launch with all that was read."""
        launch = self.complete()
        builder = self._builder
        if self._launch or self._parts or builder.samples or len(builder.slices):
            builder.launch(launch)

    def complete(self) -> Launch:
        """Add samples and parts; the launch that they are of, which is still to be added."""
        builder = self._builder
        launch = self._launch or Launch("", kind="simulated" if self._timeline else None)
        if self._timeline is not None:
            launch = self._timeline.finish(launch)
        samples = self._executed.samples(launch.name, 0) or self._only_stalls(launch.name)
        if samples is not None and not builder.samples:
            builder.samples.append(samples)
        for part, metrics in self._parts.items():
            builder.part(part, 0, metrics)
        return replace(launch, metrics={**launch.metrics, **self._metrics})

    def _only_stalls(self, kernel: str) -> Samples | None:
        total = sum(self._stalls.values())
        return Samples(kernel, 0, total, stalls=self._stalls) if total else None

    def _text(self, block: Block) -> None:
        self._builder.sources[block.path] = block.content.read().decode(errors="replace")

    def _trace(self, block: Block) -> None:
        if not self._with_trace:
            return
        self._timeline = Simulated(self._source, self._builder, "")
        for event in ArrayStream(self._source, block.content, TRACE_EVENTS, ChromeEvent):  # type: ignore[arg-type]
            self._timeline.event(event)

    def _base(self, block: Block) -> None:
        base = block.json(dict[str, Any])
        device = _whole(base.get("device_id"))
        soc = str(base.get("soc") or "")
        if soc:
            self._builder.devices.append(Device(device or 0, soc))
        try:
            duration = ns_of_us(str(base["duration"])) if base.get("duration") is not None else None
        except BadTimeError as error:
            raise block.wrong(str(error), "the duration of the kernel in µs") from error
        blocks_of_op, mixed = _whole(base.get("block_dim")), as_number(str(base.get("mix_block_dim")))
        metrics = {} if mixed is None else {"Mix Block Dim": Metric(mixed)}
        for detail in (base.get("mix_block_detail"), base.get("block_detail")):
            if isinstance(detail, dict):
                self._durations(detail)
        self._launch = self._launch or Launch(
            name=str(base.get("name") or ""),
            duration_ns=duration,
            device=device,
            grid=grid_of(blocks_of_op),
            kind=str(base.get("op_type") or "") or None,
            metrics=metrics,
        )

    def _durations(self, table: dict[str, Any]) -> None:
        headers = [split_unit(str(header))[0].removesuffix(" Duration") for header in table["head_name"]]
        for row in table["row"]:
            number, *values = row["value"]
            for header, value in zip(headers[1:], values, strict=False):
                duration = as_number(str(value))
                if duration is not None:
                    part = f"block {number} {header.lower()}"
                    self._parts[part]["duration"] = Metric(duration, "us")

    def _load(self, block: Block) -> None:
        for entry in block.json(dict[str, Any])["subblock_detail"]:
            value = as_number(str(entry["value"]))
            unit = _UNITS.get(entry["unit"], "")
            name = str(entry["name"])
            if value is not None:
                metrics = self._parts[f"block {entry['block_id']} {entry['block_type']}"]
                metrics[name if unit != "%" else f"{name} share"] = Metric(value, unit)

    def _memory(self, block: Block) -> None:
        for of_block in block.json(dict[str, Any])["table_per_block"]:
            metrics = self._parts[f"block {of_block['block_id']}"]
            for table in of_block["table_detail"]:
                headers = [split_unit(str(header)) for header in table["header_name"][1:]]
                for row in table["row"]:
                    for (header, unit), value in zip(headers, row["value"], strict=False):
                        number = as_number(str(value))
                        if number is not None:
                            metrics[f"{table['table_name']}: {row['name']}, {header}"] = Metric(number, unit)

    def _cores(self, block: Block) -> None:
        for core in block.json(dict[str, Any])["op_detail"]:
            for detail in core["core_detail"]:
                part = f"block {core['core_id']} {detail['subcore_type']}{detail['subcore_id']}"
                for key, unit in (("cycles", "cycles"), ("L2cache_hit_rate", "%"), ("throughput", "B")):
                    number = as_number(str(detail.get(key)))
                    if number is not None:
                        self._parts[part][key] = Metric(number, unit)

    def _roofline(self, block: Block) -> None:
        roofline = block.json(dict[str, Any])
        for group in roofline.get("multiple_rooflines") or ():
            for line in group["rooflines"]:
                ratio = as_number(str(line.get("ratio")))
                if ratio is not None:
                    self._metrics[f"roofline: {group['title']}, {line['bw_name']}"] = Metric(ratio * 100, "%")
        if roofline.get("advice"):
            self._metrics["bound by, as msprof says"] = Metric(str(roofline["advice"]))

    def _reasons(self, block: Block) -> None:
        table = block.json(dict[str, Any])["top_stall_reason_table"]
        self._stalls = {str(reason): int(count) for reason, count in table.items()}


def _whole(value: object) -> int | None:
    number = as_number(str(value))
    return int(number) if number is not None and number == int(number) and abs(number) < 2**31 else None
