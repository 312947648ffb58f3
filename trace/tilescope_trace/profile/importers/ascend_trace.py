"""Timelines of msprof (``msprof_*.json``) and torch_npu.profiler (``trace_view.json``)."""

from __future__ import annotations

import re

from tilescope_trace.profile.ascend.timeline import Timeline
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "Ascend timeline"

NOTHING = "the timeline has no slice and no counter: nothing ran on the device while the profiler was on"

_MARK = re.compile(rb'"ts"\s*:\s*"\d+(?:\.\d+)?"|"(?:Ascend Hardware|CANN|HostToDevice|async_npu|Task Type)"')
_USUAL_NAME = re.compile(r"(?:trace_view|msprof.*)\.json")


def recognise(source: Source) -> bool:
    """A bare list of events, with times as text or the names of Ascend's processes and arrows."""
    head = source.head.lstrip()
    if not head.startswith(b"["):
        return False
    return _MARK.search(head) is not None or (head.strip() == b"[]" and bool(_USUAL_NAME.match(source.path.name)))


def load(source: Source) -> Profile:
    """Tasks that run kernels become launches; everything with a duration becomes a slice."""
    builder = ProfileBuilder(source.path, NAME)
    timeline = Timeline(source, builder)
    timeline.read(source)
    timeline.finish()
    return builder.finish(NOTHING)
