"""The life of one Python line."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.provenance import of_generated, of_text
from tilescope_trace.store.read import Recording
from tilescope_trace.text_lines import lines_of

from . import words
from .follow import Group, after_pass, group_of, in_text
from .model import GeneratedEntry, History, Step, Subject, TextLines
from .texts import Texts, became, differ, main_passes


def of_line(recording: Recording, line: int, file: str | None = None) -> History:
    """The life of a line of ``file`` (a path, its end, or by default the kernel's own file).

    What the line allocates is followed by its memory, also where the compiler loses the line. Raises UsageError for
    a file or a line that is not there, and for a line without IR, naming those that have some.
    """
    place = Origin(_file(recording, file), line)
    texts = Texts(recording)
    steps: list[Step] = []
    groups: list[Group] = []
    for text in _first_texts(recording):
        groups = _allocated(recording, text, place)
        found = TextLines(text, _lines(recording, text, place, groups))
        if found.lines:
            steps.append(_born(recording, texts, recording.passes[0], None, found, groups))
    for record in main_passes(recording):
        step, groups = _step(recording, texts, record, place, groups)
        if step is not None:
            steps.append(step)
    generated = _generated(recording, place)
    if not steps and not generated:
        raise UsageError(_no_ir(recording, place))
    return History(Subject("line", None, place.file, place.line), tuple(steps), generated)


def _step(
    recording: Recording, texts: Texts, record: PassRecord, place: Origin, groups: list[Group]
) -> tuple[Step | None, list[Group]]:
    """What ``record`` did to the line, None for nothing, and what the line allocates behind it."""
    assert record.after is not None
    states, later = recording.buffers(record.before), recording.buffers(record.after)
    known = [found for group in groups if (found := in_text(group, states))]
    followed = [(group, after_pass(group, states, later)) for group in known]
    new = _allocated(recording, record.after, place)
    keys = {state.key for _, group in followed for state in group}
    behind = [group for _, group in followed if group] + [group for group in new if group[0].key not in keys]
    old = TextLines(record.before, _lines(recording, record.before, place, known))
    now = TextLines(record.after, _lines(recording, record.after, place, behind))
    if not old.lines and now.lines:
        return _born(recording, texts, record, old, now, behind), behind
    said = [phrase for one, other in followed if other for phrase in words.changes(one[0], other[0], recording)]
    lines = texts.of(old.text, old.lines), texts.of(now.text, now.lines)
    if old.lines and not now.lines:
        said.append(words.line_gone(on_host=record.module == "device"))
    elif (lowered := became(*lines)) is not None:
        said.append(lowered)
    elif not said and differ(*lines):
        counts = len(lines[0]), len(lines[1])
        said.append("rewritten" if counts[0] == counts[1] else f"rewritten: from {counts[0]} to {counts[1]} lines")
    return (Step(record, "; ".join(said), old, now) if said else None), behind


def _born(
    recording: Recording,
    texts: Texts,
    record: PassRecord,
    before: TextLines | None,
    found: TextLines,
    groups: list[Group],
) -> Step:
    said = [words.born(group[0], recording) for group in groups]
    statements = became([], texts.of(found.text, found.lines))
    if statements is not None or not said:
        said.append(f"created: {(statements or '').removesuffix(' added') or 'its first IR'}")
    return Step(record, "; ".join(said), before, found)


def _allocated(recording: Recording, text: str, place: Origin) -> list[Group]:
    states = recording.buffers(text)
    return [group_of(state, states) for state in states if state.origin == place]


def _lines(recording: Recording, text: str, place: Origin, groups: list[Group]) -> tuple[int, ...]:
    declared = {line for group in groups for state in group for line in state.declared}
    return tuple(sorted({*of_text(recording, text).lines.get(place, ()), *declared}))


def _generated(recording: Recording, place: Origin) -> tuple[GeneratedEntry, ...]:
    provenance = of_generated(recording)
    text = (recording.generated() or "").split("\n")
    return tuple(
        GeneratedEntry(number, text[number - 1], provenance.roles.get(number))
        for number in provenance.lines.get(place, ())
        if number <= len(text)
    )


def _file(recording: Recording, file: str | None) -> str:
    """The recorded path that ``file`` means."""
    # A recording that was cut off has no sources, but its IR still names the files.
    mapped = Counter(place.file for name in _first_texts(recording) for place in of_text(recording, name).lines)
    paths = list(
        dict.fromkeys((*(source.path for source in recording.sources()), *(path for path, _ in mapped.most_common())))
    )
    if file is None:
        if not paths:
            raise UsageError(f"{recording.path}: nothing in it is known to come from a Python file.")
        return paths[0]
    wanted = PurePath(file)
    for matches in (
        [path for path in paths if path == file],
        [path for path in paths if PurePath(recording.info.workspace or "", path) == wanted],
        [path for path in paths if PurePath(path).parts[-len(wanted.parts) :] == wanted.parts],
    ):
        if len(matches) == 1:
            return matches[0]
    raise UsageError(f"{recording.path}: there is no file {file!r} in it. There are {', '.join(paths) or 'none'}.")


def _no_ir(recording: Recording, place: Origin) -> str:
    source = next((source for source in recording.sources() if source.path == place.file), None)
    # A final line end is not followed by a line that anybody counts.
    count = len(lines_of(source.text)) - source.text.endswith(("\n", "\r")) if source is not None else None
    if count is not None and not 1 <= place.line <= count:
        return f"{recording.path}: there is no line {place.line}: {place.file} has {count}."
    having = sorted(
        {
            at.line
            for name in _first_texts(recording)
            for at in of_text(recording, name).lines
            if at.file == place.file
        }
    )
    if not having:
        return f"{recording.path}: no line of {place.file} is known in the IR."
    return (
        f"{recording.path}: nothing in the IR comes from line {place.line} of {place.file}. "
        f"Lines that have IR: {', '.join(map(str, having))}."
    )


def _first_texts(recording: Recording) -> list[str]:
    """The text that the first pass was given, where all lines of the kernel still are."""
    return [recording.passes[0].before] if recording.passes and recording.passes[0].before else []
