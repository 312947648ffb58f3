"""A kernel's source with the hints that an editor shows in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.syntax import Syntax
from rich.text import Text

from tilescope_server.analysis import Analysis
from tilescope_server.hints import Hint, hints_of
from tilescope_server.settings import Hints
from tilescope_server.sites import sites_of
from tilescope_trace.model import FileFacts, Kernel, Snapshot
from tilescope_trace.text_lines import lines_of

THEME = "ansi_dark"
"""The terminal's own colours."""
HINT = "italic bright_cyan"
SHOWN = Hints(max_length=48, parameter=False)
"""A terminal has room for longer ones than an editor; arguments are told beside."""


def hinted_source(snapshot: Snapshot, kernel: Kernel) -> Iterator[Text]:
    """The lines of the function that ``kernel`` is in, numbered, with what is known of it at the places where an
    editor puts inlay hints."""
    lines = lines_of(snapshot.text)
    facts = FileFacts(snapshot.path, None, (kernel,))
    hints = hints_of(sites_of(Analysis(snapshot, facts)), lines, SHOWN)
    first, last = _extent(lines, kernel.line)
    coloured = Syntax("", "python", theme=THEME, background_color="default").highlight("\n".join(lines)).split("\n")
    for number in range(first, last + 1):
        here = [hint for hint in hints if hint.line == number]
        yield Text(f"{number:>4}  ", "dim") + _with_hints(coloured[number - 1], here)


def _with_hints(line: Text, hints: Sequence[Hint]) -> Text:
    shown, at = Text(), 0
    for hint in sorted(hints, key=lambda hint: hint.column):
        shown += line[at : hint.column - 1]
        at = hint.column - 1
        shown.append(f"{'' if hint.is_type else '  '}{hint.label}", HINT)
    return shown + line[at:]


def _extent(lines: Sequence[str], line: int) -> tuple[int, int]:
    """First line (decorators included) and last line of the top-level function around ``line``."""
    first = line
    while first > 1 and not lines[first - 1].startswith("def "):
        first -= 1
    last = first
    while last < len(lines) and (not lines[last].strip() or lines[last][0].isspace()):
        last += 1
    while first > 1 and lines[first - 2].startswith("@"):
        first -= 1
    while not lines[last - 1].strip():
        last -= 1
    return first, last
