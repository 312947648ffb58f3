"""Settings of torch_npu.profiler (``profiler_info_*.json``): a file of a profile that holds nothing of its own."""

from __future__ import annotations

import re

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "torch_npu.profiler settings"

_MARK = re.compile(rb'"experimental_config"\s*:')


def recognise(source: Source) -> bool:
    """An object with the profiler's experimental settings, and no events."""
    head = source.head
    return head.lstrip().startswith(b"{") and _MARK.search(head) is not None and b'"traceEvents"' not in head


def load(source: Source) -> Profile:
    """Nothing."""
    return ProfileBuilder(source.path, NAME).finish(
        "the file holds the profiler's settings only; the run is in the folder ASCEND_PROFILER_OUTPUT beside it"
    )
