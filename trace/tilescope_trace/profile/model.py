"""What every profiler's file becomes: launches, lanes, slices, flows, samples and counters. Times are in nanoseconds.

Slices, flows and counters lie in columns (``array``), because a trace of 200 MB has millions of them; everything else
is frozen. ``None`` is unknown. An index of -1 in a column means none.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

LaneKind = Literal[
    "process", "host", "device", "stream", "sm", "cta", "warp", "core", "pipe", "group", "annotation", "overview"
]
"""``core`` and ``pipe`` are Ascend's; ``overview`` repeats what other lanes show (overlap analysis, steps)."""

SampleUnit = Literal["samples", "cycles", "ns"]
"""What samples count: hardware samples, or what a simulator says an instruction takes (summed over cores)."""

NONE = -1
"""In a column of indices: none."""

Extent = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file as the profile spells its path; 1-based. Of generated source, ``file`` is GENERATED where the
    profile names no file."""

    file: str
    line: int


GENERATED = "<generated>"

Frames = tuple[Place, ...]
"""An inline stack: innermost first, outermost (the line of the kernel itself) last."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured value with its unit as the profiler spells it (empty for none)."""

    value: float | str
    unit: str = ""


class Launch(msgspec.Struct, frozen=True, gc=False):
    """One launch of a kernel, or ``count`` of them where a profiler gives a sum only (``duration_ns`` is of all).

    ``grid`` and ``block`` are (x, y, z); on Ascend ``grid`` is (block dim, 1, 1) and ``block`` None. Shared memory in
    bytes, static and dynamic apart. ``lane`` is an index into ``Profile.lanes`` (NONE where the profiler gives no
    lane), ``device`` the profiler's own number. ``annotation`` is the innermost range of the user's around the
    launching call. A trace has hundreds of thousands of launches, and a frozen dataclass takes twenty times as long
    to make: copies are made with ``msgspec.structs.replace``.
    """

    name: str
    start_ns: int | None = None
    duration_ns: int | None = None
    lane: int = NONE
    device: int | None = None
    grid: Extent | None = None
    block: Extent | None = None
    cluster: Extent | None = None
    static_shared_bytes: int | None = None
    dynamic_shared_bytes: int | None = None
    shared_bytes: int | None = None
    """Static and dynamic together, where the profiler gives the sum only."""
    registers: int | None = None
    correlation: int | None = None
    annotation: str | None = None
    kind: str | None = None
    """What kind of task the profiler calls it: ``AI_CORE``, ``MIX_AIC``, ``memcpy`` ..."""
    count: int = 1
    metrics: Mapping[str, Metric] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lane:
    """A row of the timeline. ``parent`` is the index of the lane it lies under (NONE for the outermost); ``number``
    what the profiler counts it by (stream, SM, warp, core). Times of lanes with different ``clock`` must not be
    compared: cycle counters of two SMs, say."""

    title: str
    kind: LaneKind
    parent: int = NONE
    number: int | None = None
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Slices:
    """What is drawn on lanes, a column each, in the order of the file: ``start_ns`` and ``duration_ns``, ``lane``
    (into ``Profile.lanes``), ``name`` and ``detail`` (into ``Profile.texts``, detail may be NONE), ``place`` (into
    ``Profile.places``) and ``launch`` (into ``Profile.launches``: the launch that it is, or lies in)."""

    start_ns: array[int] = field(default_factory=lambda: array("q"))
    duration_ns: array[int] = field(default_factory=lambda: array("q"))
    lane: array[int] = field(default_factory=lambda: array("i"))
    name: array[int] = field(default_factory=lambda: array("i"))
    detail: array[int] = field(default_factory=lambda: array("i"))
    place: array[int] = field(default_factory=lambda: array("i"))
    launch: array[int] = field(default_factory=lambda: array("i"))

    def __len__(self) -> int:
        return len(self.start_ns)


@dataclass(frozen=True, slots=True)
class Flows:
    """Arrows from a place on one lane to a place on another (SET_FLAG to WAIT_FLAG, launch to kernel), a column each;
    ``name`` is an index into ``Profile.texts``."""

    start_ns: array[int] = field(default_factory=lambda: array("q"))
    start_lane: array[int] = field(default_factory=lambda: array("i"))
    end_ns: array[int] = field(default_factory=lambda: array("q"))
    end_lane: array[int] = field(default_factory=lambda: array("i"))
    name: array[int] = field(default_factory=lambda: array("i"))

    def __len__(self) -> int:
        return len(self.start_ns)


@dataclass(frozen=True, slots=True)
class Counter:
    """Values over time (clock frequency, memory in use), each holding until the next."""

    name: str
    unit: str
    times_ns: array[int]
    values: array[float]
    lane: int = NONE


@dataclass(frozen=True, slots=True)
class InstructionSamples:
    """Samples of one machine instruction. ``address`` is the offset in bytes from the kernel's first instruction;
    ``stalls`` are samples by reason (names of ``stalls.stall_name``), issued and not issued together; ``executed``
    counts warp executions. ``frames`` is the inline stack where the profiler gives one."""

    address: int
    text: str
    samples: int
    stalls: Mapping[str, int] = field(default_factory=dict)
    executed: int | None = None
    frames: Frames = ()


@dataclass(frozen=True, slots=True)
class LineSamples:
    """Samples that the profiler itself puts on a line, by a rule of its own (see ``Samples.line_rule``)."""

    place: Place
    samples: int
    stalls: Mapping[str, int] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Where one kernel spends its time. ``launch`` is an index into ``Profile.launches``. ``total`` are all samples
    of the kernel, each counted once, whatever the profiler repeats. ``line_rule`` says how the profiler chose the
    lines of ``lines``: innermost frame, every frame of the stack (sums count twice), or what it says itself."""

    kernel: str
    launch: int
    total: int
    unit: SampleUnit = "samples"
    stalls: Mapping[str, int] = field(default_factory=dict)
    instructions: tuple[InstructionSamples, ...] = ()
    lines: tuple[LineSamples, ...] = ()
    line_rule: Literal["innermost", "every frame", "as given"] = "as given"


@dataclass(frozen=True, slots=True)
class PartMetrics:
    """Metrics of one part of a launch: a core, a block or a sub-block, named as the profiler names it."""

    part: str
    launch: int
    metrics: Mapping[str, Metric]


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the profile describes it; ``arch`` in TileLang's spelling (``sm_90``) where it can be told."""

    number: int
    name: str
    arch: str | None = None
    multiprocessors: int | None = None
    clock_khz: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader must know to read the profile right; ``subject`` is the name of the slices it is about."""

    message: str
    subject: str | None = None


@dataclass(frozen=True)
class Profile:
    """One profiler file (or folder). ``format`` is the importer's name. ``texts`` are the interned names and details
    of slices and flows, ``places`` inline stacks of slices, ``sources`` texts of source files that the profile
    carries, by the path it gives them. ``nothing_to_show`` says why there is nothing, where the file is of a known
    format but has no launch, slice or sample, or cannot be read and lies in a folder with others."""

    path: Path
    format: str
    devices: tuple[Device, ...] = ()
    launches: tuple[Launch, ...] = ()
    lanes: tuple[Lane, ...] = ()
    slices: Slices = field(default_factory=Slices)
    flows: Flows = field(default_factory=Flows)
    texts: tuple[str, ...] = ()
    places: tuple[Frames, ...] = ()
    samples: tuple[Samples, ...] = ()
    counters: tuple[Counter, ...] = ()
    parts: tuple[PartMetrics, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    nothing_to_show: str | None = None

    def slice_name(self, index: int) -> str:
        """Name of the slice at ``index``."""
        return self.texts[self.slices.name[index]]
