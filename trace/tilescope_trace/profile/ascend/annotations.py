"""Which of the ranges that name a compile a kernel was launched in, told by the arrow from the launching call.

torch_npu does not tell ranges of the user's from its own operators, so that only these are known to be the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tilescope_trace.profile.build import ProfileBuilder


class Range(NamedTuple):
    """One range on a thread, times in ns."""

    start_ns: int
    end_ns: int
    name: str


def annotate(
    builder: ProfileBuilder, threads: Mapping[int, object], ranges: Mapping[object, Sequence[Range]]
) -> None:
    """Set ``annotation`` of launches to the innermost of ``ranges`` (by thread) that encloses the place where an
    arrow to the launch starts. ``threads`` are the operating system's numbers of lanes: a call of CANN lies on
    another lane than the range around it, but on the same thread."""
    if not ranges:
        return
    launches = {(launch.lane, launch.start_ns): index for index, launch in enumerate(builder.launches)}
    flows = builder.flows
    for lane, time, end_lane, end in zip(flows.start_lane, flows.start_ns, flows.end_lane, flows.end_ns, strict=True):
        index = launches.get((end_lane, end))
        around = [found for found in ranges.get(threads.get(lane), ()) if found.start_ns <= time <= found.end_ns]
        if index is not None and around:
            builder.launches[index] = replace(builder.launches[index], annotation=max(around).name)
