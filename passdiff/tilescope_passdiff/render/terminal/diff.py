"""The coloured diff of one pass."""

from __future__ import annotations

from rich.text import Text

from tilescope_passdiff.diff import DiffLine, LineKind, PassDiff, diff_pass
from tilescope_passdiff.render.unified import MARKS, file_lines, heading, hunk_line, layout_lines
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from .controls import visible

LINE_STYLES: dict[LineKind, str] = {"equal": "", "delete": "red", "insert": "green"}
MOVED_STYLES: dict[LineKind, str] = {"equal": "", "delete": "dim magenta", "insert": "cyan"}
"""Of lines that only moved or were indented."""
WORD_STYLES: dict[LineKind, str] = {"equal": "", "delete": "bold reverse red", "insert": "bold reverse green"}


def pass_diff(
    recording: Recording,
    record: PassRecord,
    *,
    context: int = 3,
    words: bool = True,
    hide_renumbering: bool = False,
    hide_indentation: bool = False,
) -> Text:
    """The unified diff of a pass against its own input; ``words`` marks what changed inside a line. Its text is that
    of ``plain_diff``; what only moved has a colour of its own."""
    diff = diff_pass(
        recording,
        record,
        context=context,
        with_words=words,
        hide_renumbering=hide_renumbering,
        hide_indentation=hide_indentation,
    )
    failed = record.status == "failed"
    shown = Text(overflow="fold")
    shown.append(visible(heading(record, diff.insertions, diff.deletions)), "bold red" if failed else "bold")
    if failed and record.error:
        rest = visible(record.error).strip().splitlines()[1:]
        shown.append("".join(f"\n  {line}" for line in rest), "red")
    for layout in layout_lines(recording, record):
        shown.append(f"\n{visible(layout)}", "yellow")
    if diff.hunks:
        for side in file_lines(record):
            shown.append(f"\n{side}", "bold")
    append_hunks(shown, diff)
    return shown


def append_hunks(shown: Text, diff: PassDiff) -> None:
    """Add all hunks of a diff, each on lines of its own."""
    for hunk in diff.hunks:
        shown.append(f"\n{hunk_line(hunk, diff.moved)}", "cyan")
        for line in hunk.lines:
            append_line(shown, line)


def append_line(shown: Text, line: DiffLine) -> None:
    """Add a line of a diff on a line of its own, in its colours."""
    shown.append("\n")
    start = len(shown) + 1
    styles = LINE_STYLES if line.moved is None else MOVED_STYLES
    shown.append(MARKS[line.kind] + visible(line.text), styles[line.kind])
    for column, end in line.changed:
        shown.stylize(WORD_STYLES[line.kind], start + column - 1, start + end - 1)
