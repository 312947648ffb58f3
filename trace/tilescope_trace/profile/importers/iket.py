"""IKET traces (intra-kernel events): ranges and marks of warps, and when each warp lived."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.emptied import LIFETIME, MARK, emptied_ranges
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonfile import read_json
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "IKET trace"

_EXPECTED = "an IKET trace with stringTable, locationTable and launches"
_VERSION = 1


_Index = Annotated[int, msgspec.Meta(ge=0)]
"""Into one of the tables: from the end, as Python counts what is negative, would be another entry."""


class _Meta(msgspec.Struct):
    version: int


class _Location(msgspec.Struct, gc=False):
    block: tuple[int, int, int] = msgspec.field(name="ctaId")
    sm: int = msgspec.field(name="smId")
    warp: int = msgspec.field(name="warpId")


class _Range(msgspec.Struct, gc=False):
    name: _Index = msgspec.field(name="rangeNameIdx")
    start: int = msgspec.field(name="startTs")
    end: int = msgspec.field(name="endTs")
    locations: tuple[_Index, _Index] = msgspec.field(name="warpLocIdxs")


class _Marker(msgspec.Struct, gc=False):
    name: _Index = msgspec.field(name="markerNameIdx")
    location: _Index = msgspec.field(name="locIdx")
    time: int = msgspec.field(name="timestamp")
    payload: int | float | None = msgspec.field(default=None, name="payloadVal")


class _Lifetime(msgspec.Struct, gc=False):
    location: _Index = msgspec.field(name="locIdx")
    start: int = msgspec.field(name="startTs")
    end: int = msgspec.field(name="endTs")


class _Cluster(msgspec.Struct):
    x: int = 1
    y: int = 1
    z: int = 1


class _Launch(msgspec.Struct):
    name: str = msgspec.field(name="kernelName")
    grid_x: int = msgspec.field(name="gridDimX")
    grid_y: int = msgspec.field(name="gridDimY")
    grid_z: int = msgspec.field(name="gridDimZ")
    block_x: int = msgspec.field(name="blockDimX")
    block_y: int = msgspec.field(name="blockDimY")
    block_z: int = msgspec.field(name="blockDimZ")
    cluster: _Cluster = msgspec.field(default_factory=_Cluster, name="enabledCluster")
    ranges: list[_Range] = []
    markers: list[_Marker] = []
    lifetimes: list[_Lifetime] = msgspec.field(default_factory=list, name="warpLifetimes")


class _Trace(msgspec.Struct):
    meta: _Meta
    names: list[str] = msgspec.field(name="stringTable")
    locations: list[_Location] = msgspec.field(name="locationTable")
    launches: list[_Launch]


def recognise(source: Source) -> bool:
    """An object with IKET's launches: keys are sorted, so these stand in front."""
    head = source.head.lstrip()
    return head.startswith(b"{") and (b'"graphLaunches"' in head or b'"locationTable"' in head)


def load(source: Source) -> Profile:
    """A lane for each warp below its block and its SM; a launch spans the lives of its warps. Times are in steps of
    32 ns."""
    trace = read_json(source, _Trace, _EXPECTED)
    if trace.meta.version != _VERSION:
        raise ProfileError(source.path, f"IKET version {trace.meta.version}", f"version {_VERSION}", "meta")
    build = ProfileBuilder(source.path, NAME)
    reader = _Reader(source, build, trace)
    for number, launch in enumerate(trace.launches):
        reader.launch(number, launch)
    profile = build.finish("no kernel was instrumented: nothing ran, or neither ranges nor --warp-trace were used")
    for found in emptied_ranges(profile):
        build.note(found.message, found.name)
    return build.finish("") if build.notes else profile


class _Reader:
    def __init__(self, source: Source, build: ProfileBuilder, trace: _Trace) -> None:
        self._source, self._build, self._trace = source, build, trace

    def launch(self, number: int, launch: _Launch) -> None:
        try:
            self._read(number, launch)
        except IndexError:
            raise ProfileError(
                self._source.path,
                "an index is outside its table",
                "indices of stringTable and locationTable",
                f"launch {number}",
            ) from None

    def _read(self, number: int, launch: _Launch) -> None:
        build, names = self._build, self._trace.names
        spans: list[_Range | _Lifetime] = [*launch.lifetimes, *launch.ranges]
        start = min((one.start for one in spans), default=None)
        end = max((one.end for one in spans), default=None)
        lane = build.lane("kernels", "kernels", "stream")
        index = build.launch(
            Launch(
                name=launch.name,
                start_ns=start,
                duration_ns=None if start is None or end is None else end - start,
                lane=lane,
                grid=(launch.grid_x, launch.grid_y, launch.grid_z),
                block=(launch.block_x, launch.block_y, launch.block_z),
                cluster=(launch.cluster.x, launch.cluster.y, launch.cluster.z),
            )
        )
        for lifetime in launch.lifetimes:
            warp = self._warp(number, lifetime.location)
            build.slice(warp, LIFETIME, lifetime.start, lifetime.end - lifetime.start, launch=index)
        for one in launch.ranges:
            warp = self._warp(number, one.locations[0])
            build.slice(warp, names[one.name], one.start, one.end - one.start, launch=index)
        for mark in launch.markers:
            detail = MARK if mark.payload is None else f"{MARK}, payload {mark.payload}"
            build.slice(self._warp(number, mark.location), names[mark.name], mark.time, 0, detail, launch=index)

    def _warp(self, launch: int, location: int) -> int:
        build, place = self._build, self._trace.locations[location]
        sm = build.lane(("sm", place.sm), f"SM {place.sm}", "sm", number=place.sm)
        x, y, z = place.block
        block = build.lane(("block", launch, place.block), f"block ({x}, {y}, {z})", "cta", sm)
        return build.lane(("warp", launch, place.block, place.warp), f"warp {place.warp}", "warp", block, place.warp)
