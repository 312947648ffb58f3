"""``visualize_data.bin`` of ``msprof op`` (a kernel measured on the board) and of ``msprof op simulator``."""

from __future__ import annotations

from tilescope_trace.profile.ascend.blocks import looks_like_blocks
from tilescope_trace.profile.ascend.visualized import Visualized
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "msprof op visualize_data.bin"

NOTHING = "its blocks hold source text only: neither a kernel nor what it took"


def recognise(source: Source) -> bool:
    """A file that begins with the header of a block."""
    return looks_like_blocks(source.head)


def load(source: Source) -> Profile:
    """One launch."""
    builder = ProfileBuilder(source.path, NAME)
    visualized = Visualized(source, builder)
    visualized.read()
    visualized.finish()
    return builder.finish(NOTHING)
