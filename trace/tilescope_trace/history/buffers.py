"""The life of one buffer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilescope_trace.errors import UsageError
from tilescope_trace.model import BufferRecord, PassRecord
from tilescope_trace.store.read import Recording

from . import words
from .follow import Group, after_pass, group_of, in_text
from .model import GeneratedEntry, History, Step, Subject, TextLines
from .texts import Texts, base_name, became, differ, main_passes

NAMED = 24
"""Most names in a message."""


def of_buffer(recording: Recording, name: str) -> History:
    """The life of the buffer that is called ``name`` where that name first appears.

    Raises UsageError, which lists the names there are, where none is called so.
    """
    group, born = _find(recording, name)
    first = group[0]
    texts = Texts(recording)
    steps = [born]
    for record in main_passes(recording):
        if record.index < born.record.index or (record == born.record and born.before is not None):
            continue
        step, group = _step(recording, texts, record, group)
        if step is not None:
            steps.append(step)
        if not group:
            break
    last = group[0] if group else first
    generated = tuple(_generated(recording, last))
    origin = first.origin
    subject = Subject("buffer", first.name, origin.file if origin else None, origin.line if origin else None)
    return History(
        subject,
        tuple(steps),
        generated,
        tuple(_notes(recording, born, first, last if not generated else None)),
    )


def lines_of(group: Group) -> tuple[int, ...]:
    """All text lines that declare or use the buffer."""
    return tuple(sorted({line for state in group for line in (*state.declared, *state.used)}))


def _find(recording: Recording, name: str) -> tuple[Group, Step]:
    """The buffer where it first appears, and the step that says so."""
    names: dict[str, None] = {}
    for record, text in _moments(recording):
        states = recording.buffers(text)
        names.update(dict.fromkeys(base_name(state.name) for state in states))
        exact = [state for state in states if state.name == name]
        for state in exact or [state for state in states if base_name(state.name) == name]:
            return _born(recording, record, text, group_of(state, states))
    if not names:
        raise UsageError(
            f"{recording.path} holds no buffers: it is too old, or stopped too early. Record the kernel again."
        )
    listed = ", ".join(list(names)[:NAMED]) + (" and others" if len(names) > NAMED else "")
    raise UsageError(f"{recording.path}: there is no buffer {name!r}. There are {listed}.")


def _moments(recording: Recording) -> Iterator[tuple[PassRecord, str]]:
    """The texts in order, each with the pass that made it; the first one with the pass that was given it."""
    if recording.passes and recording.passes[0].before:
        yield recording.passes[0], recording.passes[0].before
    for record in main_passes(recording):
        assert record.after is not None
        yield record, record.after


def _born(recording: Recording, record: PassRecord, text: str, group: Group) -> tuple[Group, Step]:
    known = recording.buffers(record.before)
    before = None if text == record.before else TextLines(record.before, lines_of(in_text(group, known)))
    return group, Step(record, words.born(group[0], recording), before, TextLines(text, lines_of(group)))


def _step(recording: Recording, texts: Texts, record: PassRecord, group: Group) -> tuple[Step | None, Group]:
    """What ``record`` did to the buffer, None for nothing, and the buffer behind it."""
    assert record.after is not None
    states, later = recording.buffers(record.before), recording.buffers(record.after)
    before = in_text(group, states)
    if not before:
        return None, group
    after = after_pass(before, states, later)
    old, new = TextLines(record.before, lines_of(before)), TextLines(record.after, lines_of(after))
    if not after:
        keys = {state.key for state in states}
        come = [state for state in later if state.key not in keys]
        said = [words.gone(before[0], come, on_host=record.module == "device")]
    else:
        said = _changes(recording, before, after)
        lines = texts.of(old.text, old.lines), texts.of(new.text, new.lines)
        if (lowered := became(*lines)) is not None:
            said.append(lowered)
        elif not said and differ(*lines):
            said.append("rewritten")
    return (Step(record, "; ".join(said), old, new) if said else None), after


def _changes(recording: Recording, before: Group, after: Group) -> list[str]:
    """What became of the buffer itself. A parameter that the host keeps is told by its part on the device."""
    known = {state.key: state for state in before}
    said = list(words.changes(known.get(after[0].key, before[0]), after[0], recording))
    return said + [words.passed(state) for state in after[1:] if state.key not in known]


def _generated(recording: Recording, last: BufferRecord) -> Iterator[GeneratedEntry]:
    """The generated lines that name the buffer; a tensor map is named after its parameter."""
    name = re.escape(base_name(last.name))
    pattern = re.compile(rf"\b{name}(?:_desc)?\b" if last.scope == "global" else rf"\b{name}\b")
    roles = {record.line: record.role for record in recording.generated_lines()}
    for number, line in enumerate((recording.generated() or "").split("\n"), start=1):
        if pattern.search(line):
            yield GeneratedEntry(number, line, roles.get(number))


def _notes(recording: Recording, born: Step, first: BufferRecord, unnamed: BufferRecord | None) -> Iterator[str]:
    """``unnamed`` is the buffer at its end where the generated source does not name it."""
    states = recording.buffers(born.after.text)
    namesakes = [
        state for state in states if state.key != first.key and base_name(state.name) == base_name(first.name)
    ]
    if namesakes:
        others = ", ".join(f"{state.name}{_place(state)}" for state in namesakes)
        yield f"other buffers have the same name in Python: {others}"
    if unnamed is not None and unnamed.inside is not None:
        yield f"the generated source has it only as a part of {unnamed.inside}"


def _place(state: BufferRecord) -> str:
    return f" (line {state.origin.line})" if state.origin is not None else ""
