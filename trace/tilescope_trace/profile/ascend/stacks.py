"""Inline stacks of instructions, as Ascend's tools write them."""

from __future__ import annotations

from tilescope_trace.profile.model import Frames, Place


def frames_of(code: str) -> Frames:
    """A stack of lines ``file:line``, innermost first, outermost last; what is no such line is left out. Empty where
    the kernel was compiled without ``-g``."""
    places = []
    for text in code.split("\n"):
        file, colon, line = text.strip().rpartition(":")
        if colon and line.isascii() and line.isdigit() and int(line[:10]) > 0:
            places.append(Place(file, int(line[:10])))
    return tuple(places)
