"""``msprof op simulator``: the trace of all cores or of one (``trace.json``), or the folder around it."""

from __future__ import annotations

import re

from tilescope_trace.profile.ascend.simulated import Simulated
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "msprof op simulator"

NOTHING = "the simulator's trace has no instruction: the kernel did not run in the simulation"

UNNAMED = "the simulator's trace does not name the kernel"

_MARK = re.compile(rb'"profilingType"\s*:\s*"op"')


def recognise(source: Source) -> bool:
    """A trace with the mark that MindStudio looks for before the first bracket."""
    head = source.head.lstrip()
    return head.startswith(b"{") and _MARK.search(head.split(b"[", 1)[0]) is not None


def load(source: Source) -> Profile:
    """One launch, whose instructions are slices."""
    builder = ProfileBuilder(source.path, NAME)
    read_trace(source, builder, source.path.parent.name, "")
    return builder.finish(NOTHING)


def read_trace(source: Source, builder: ProfileBuilder, core: str, kernel: str) -> None:
    """Read a trace into ``builder``; ``core`` is whose it is where it is of one core only."""
    simulated = Simulated(source, builder, core)
    with source.open() as stream:
        for event in ArrayStream(source, stream, TRACE_EVENTS, ChromeEvent):
            simulated.event(event)
    launch = simulated.finish(Launch(kernel, kind="simulated"))
    if launch.start_ns is not None:
        builder.launch(launch)
        if not kernel:
            builder.note(UNNAMED)
