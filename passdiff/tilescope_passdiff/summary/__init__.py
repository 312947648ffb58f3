"""What a pass did, in one line: ``2 copies → TMA, +4 mbarrier waits, A_shared × 3 stages, shared 16 → 48 KiB``."""

from __future__ import annotations

from collections.abc import Callable

from tilescope_passdiff import lines
from tilescope_passdiff.moves import moves
from tilescope_passdiff.normalise import key_of
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from . import loops, lowered, memory, module
from .state import State, states

__all__ = ["between", "summaries", "summary_of"]


def summary_of(recording: Recording, record: PassRecord) -> str:
    """What ``record`` did to its own input; empty for a pass that changed nothing or failed. Raises RecordingError
    where a text is damaged."""
    return _summary(record, states(recording))


def summaries(recording: Recording) -> tuple[str, ...]:
    """The summary of each pass of the recording, in order."""
    state = states(recording)
    return tuple(_summary(record, state) for record in recording.passes)


def between(before: State, after: State) -> tuple[str, ...]:
    """The phrases that tell two texts apart, the weightiest first; empty where only the wording differs."""
    return module.taken_away(before, after) or (
        *module.launch_phrases(before, after),
        *lowered.phrases(before, after),
        *module.instruction_phrases(before, after),
        *loops.phrases(before, after),
        *memory.phrases(before, after),
        *module.other_phrases(before, after),
    )


def _summary(record: PassRecord, state: Callable[[str], State]) -> str:
    if record.after is None or (not record.changed and record.after == record.before):
        return ""
    if record.after == record.before:
        return "changed, but prints the same"
    before, after = state(record.before), state(record.after)
    return ", ".join(between(before, after)) or _wording(before, after)


def _wording(before: State, after: State) -> str:
    """How two texts of one structure differ."""
    for what, key in (
        ("indented anew", key_of(hide_indentation=True)),
        ("names numbered anew", key_of(hide_renumbering=True)),
        ("indented and numbered anew", key_of(hide_indentation=True, hide_renumbering=True)),
    ):
        if lines.count(lines.diff(before.lines, after.lines, key)) == (0, 0):
            return what
    blocks = lines.diff(before.lines, after.lines, key)
    insertions, deletions = lines.count(blocks)
    if insertions == deletions == sum(move.count for move in moves(blocks, before.lines, after.lines, key)):
        return f"{deletions} line{'' if deletions == 1 else 's'} moved"
    what = "added" if not deletions else "removed" if not insertions else "rewritten"
    changed = max(insertions, deletions)
    return f"{changed} line{'' if changed == 1 else 's'} {what}"
