"""One text of a recording with all that summaries are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tilescope_trace.model import BufferRecord, Origin
from tilescope_trace.store.read import Recording
from tilescope_trace.structure import Structure, structure_of


@dataclass(frozen=True)
class State:
    """``lines`` is the text, ``origins`` are the Python lines of its lines (1-based)."""

    lines: tuple[str, ...]
    structure: Structure
    buffers: tuple[BufferRecord, ...]
    origins: dict[int, tuple[Origin, ...]]


def states(recording: Recording) -> Callable[[str], State]:
    """A function from the hash of a text to its state; it remembers the last ones. Raises RecordingError where a text
    is damaged."""

    @lru_cache(maxsize=8)
    def state(name: str) -> State:
        text = recording.text(name)
        return State(
            tuple(text.split("\n")),
            structure_of(text),
            recording.buffers(name),
            recording.line_map(name).origins,
        )

    return state
