"""What a pass did to a buffer, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tilescope_trace.model import BufferRecord, Extent, Layout
from tilescope_trace.store.read import Recording

from .texts import base_name


def born(state: BufferRecord, recording: Recording) -> str:
    """A buffer as it is first seen."""
    place = f" at {state.origin.file}:{state.origin.line}" if state.origin is not None else ""
    layout = f"; layout {layout_of(state, recording)}" if state.layout else ""
    inside = f", inside {state.inside}" if state.inside is not None else ""
    return f"created{place}: {state.dtype} {_shape(state.shape)} in {state.scope or 'global'}{inside}{layout}"


def changes(before: BufferRecord, after: BufferRecord, recording: Recording) -> Iterator[str]:
    """What is different about the buffer itself, one phrase each."""
    if base_name(before.name) != base_name(after.name):
        yield f"renamed {before.name} to {after.name}"
    if after.inside is not None and after.inside != before.inside:
        yield f"merged into {after.inside}" + ("" if after.offset is None else f" at byte {after.offset}")
    elif after.offset != before.offset and after.offset is not None:
        yield f"moved to byte {after.offset} of {after.inside}"
    if after.layout and not before.layout:
        yield f"layout inferred: {layout_of(after, recording)}"
    if after.inside is None and after.shape != before.shape:
        yield _reshaped(before, after)
    if before.scope != after.scope and after.scope:
        yield f"re-scoped from {before.scope} to {after.scope}"
    if after.inside is None and before.dtype != after.dtype:
        yield f"retyped from {before.dtype} to {after.dtype}"


def passed(state: BufferRecord) -> str:
    """A parameter that got a second buffer, in the device function."""
    return f"passed to the device as {state.name} {_shape(state.shape)}"


def gone(state: BufferRecord, new: Sequence[BufferRecord], *, on_host: bool) -> str:
    """A buffer that a pass took away; ``new`` are those that came with it."""
    if on_host:
        return f"stays on the host: the device function has no buffer {base_name(state.name)}"
    if new:
        names = ", ".join(other.name for other in new)
        return f"cannot be followed further: no longer there by memory, line or name; new are {names}"
    return "removed: nothing of it is left"


def line_gone(*, on_host: bool) -> str:
    """A Python line that no IR line comes from behind a pass."""
    if on_host:
        return "stays on the host: nothing in the device function comes from it"
    return "no line of the IR is known to come from it any more"


def layout_of(state: BufferRecord, recording: Recording) -> str:
    """The layout that the recorded facts tell of the buffer, in a few words."""
    layout = known_layout(state, recording)
    return "see the IR" if layout is None else layout.summary


def known_layout(state: BufferRecord, recording: Recording) -> Layout | None:
    """The layout that the recorded facts tell of the buffer; None where they tell none."""
    for fact in recording.info.kernel.buffers:
        line = state.origin.line if state.origin is not None else None
        if fact.name == base_name(state.name) and fact.line in (line, None) and fact.layout is not None:
            return fact.layout
    return None


def _reshaped(before: BufferRecord, after: BufferRecord) -> str:
    old, new = _shape(before.shape), _shape(after.shape)
    if after.shape[1:] == before.shape:
        return f"multi-versioned: {old} to {new}, {after.shape[0]} stages"
    if before.scope == "local.fragment" and after.scope.startswith("local"):
        return f"split over threads: {old} of the block to {new} a thread"
    sizes = (_size(before.shape), _size(after.shape))
    if sizes[0] is not None and sizes[0] == sizes[1]:
        return f"{'flattened' if len(after.shape) == 1 else 'laid out anew'}: {old} to {new}"
    return f"reshaped: {old} to {new}"


def _shape(shape: Sequence[Extent]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _size(shape: Sequence[Extent]) -> int | None:
    known = [size for size in shape if isinstance(size, int)]
    return math.prod(known) if len(known) == len(shape) else None
