"""The life of a line or a buffer, as coloured hunks."""

from __future__ import annotations

from rich.text import Text

from tilescope_passdiff.render.unified import hunk_line
from tilescope_passdiff.steps import step_hunks
from tilescope_trace.history import History, Step
from tilescope_trace.store.read import Recording
from tilescope_trace.text_lines import lines_of

from .controls import visible
from .diff import append_line


def history_text(recording: Recording, history: History) -> Text:
    """The subject, then for each step its pass, the change in words and its hunks, then the generated lines."""
    shown = Text(_subject(recording, history), "bold", overflow="fold")
    for note in history.notes:
        shown.append(f"\n{visible(note)}", "yellow")
    for step in history.steps:
        shown.append("\n\n")
        shown.append_text(_step(recording, step))
    if history.generated:
        shown.append("\n\ngenerated source", "bold")
        digits = len(str(history.generated[-1].line))
        roles = max(len(entry.role or "") for entry in history.generated)
        for entry in history.generated:
            shown.append(f"\n{entry.line:>{digits}} ", "dim")
            shown.append(f"{visible(entry.role or ''):<{roles}} " if roles else "", "magenta")
            shown.append(f"│ {visible(entry.text)}")
    elif recording.generated() is not None:
        shown.append("\n\nno line of the generated source is known to come of it", "dim")
    return shown


def _subject(recording: Recording, history: History) -> str:
    subject = history.subject
    place = "" if subject.file is None else f"{subject.file}:{subject.line}"
    if subject.kind == "buffer":
        return visible(f"buffer {subject.name}" + (f", allocated at {place}" if place else ""))
    source = lines_of(next((source.text for source in recording.sources() if source.path == subject.file), ""))
    number = subject.line or 0
    code = f"  {source[number - 1].strip()}" if 1 <= number <= len(source) else ""
    return visible(place + code)


def _step(recording: Recording, step: Step) -> Text:
    shown = Text(overflow="fold")
    shown.append(visible(f"pass {step.record.index} {step.record.label}: "), "bold")
    shown.append(visible(step.change), "bold yellow")
    for hunk in step_hunks(recording, step):
        shown.append(f"\n{hunk_line(hunk)}", "cyan")
        for line in hunk.lines:
            append_line(shown, line)
    return shown
