"""The layouts that a printed IR leaves out: it only says that a buffer has one."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_trace.history.texts import base_name
from tilescope_trace.history.words import known_layout
from tilescope_trace.model import BufferRecord, Origin, PassRecord
from tilescope_trace.store.read import Recording


@dataclass(frozen=True)
class AttachedLayout:
    """The layout of the buffer ``name`` of a text, as the recorded facts tell it. ``new`` is whether a pass attached
    it: before, the buffer had none."""

    name: str
    summary: str
    new: bool


def attached(recording: Recording, text: str, before: str | None = None) -> tuple[AttachedLayout, ...]:
    """The layouts in the IR text with the hash ``text``, each buffer once; ``before`` is the text it was made from.
    Raises RecordingError where a text is damaged."""
    old = [state for state in recording.buffers(before) if state.layout] if before else []
    # A pass may give a buffer other memory.
    keys, names = {state.key for state in old}, {(base_name(state.name), state.origin) for state in old}
    states: dict[int, BufferRecord] = {state.key: state for state in recording.buffers(text) if state.layout}
    return tuple(
        AttachedLayout(state.name, _summary(state, recording), bool(before) and _is_new(state, keys, names))
        for state in states.values()
    )


def new_layouts(recording: Recording, record: PassRecord) -> tuple[AttachedLayout, ...]:
    """The layouts that a pass attached to buffers that had none."""
    if record.after is None or record.after == record.before:
        return ()
    return tuple(layout for layout in attached(recording, record.after, record.before) if layout.new)


def _is_new(state: BufferRecord, keys: set[int], names: set[tuple[str, Origin | None]]) -> bool:
    return state.key not in keys and (base_name(state.name), state.origin) not in names


def _summary(state: BufferRecord, recording: Recording) -> str:
    layout = known_layout(state, recording)
    return "not told by this recording" if layout is None else layout.summary
