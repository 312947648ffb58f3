"""IR after a pass and generated source, with their line numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from rich.syntax import Syntax
from rich.text import Text

from tilescope_passdiff.layouts import attached
from tilescope_passdiff.lines import split
from tilescope_passdiff.render.json import generated_text
from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.provenance import Provenance, of_generated, of_pass, unplaced_note
from tilescope_trace.store.read import Recording

from .controls import visible

LEXERS = {"cuda": "cuda", "hip": "cuda", "webgpu": "wgsl", "c": "c"}
"""Pygments lexers of generated languages that are not close to C++."""
THEME = "ansi_dark"
"""The terminal's own sixteen colours, without a background."""

NAME_WIDTH = 16
"""Characters of a foreign file's name in the gutter."""
MOST_PLACES = 3
"""Python lines named in the gutter of one line."""


def pass_text(recording: Recording, record: PassRecord) -> Text:
    """The IR after a pass (its input where it failed): line number, Python line it comes from, text. Lines from
    another file than the kernel's carry that file's name. Below it stand the layouts, which the text leaves out, and
    how much has no known Python line."""
    name = record.after if record.after is not None else record.before
    shown = _with_places(recording, visible(recording.text(name)), "python", of_pass(recording, record))
    for layout in attached(recording, name):
        shown.append(f"\nlayout of {visible(layout.name)}: {visible(layout.summary)}", "yellow")
    return shown


def generated_source(recording: Recording, *, places: bool = False) -> Text:
    """The generated source, coloured; with ``places`` also line numbers, Python lines, roles and, as a last line, how
    much has no known Python line, else its text is the source itself. Raises UsageError where there is none."""
    text = visible(generated_text(recording))
    lexer = LEXERS.get(recording.info.generated_language or "", "cpp")
    return _with_places(recording, text, lexer, of_generated(recording)) if places else _coloured(text, lexer)


def _with_places(recording: Recording, text: str, lexer: str, places: Provenance) -> Text:
    sources = recording.sources()
    own = sources[0].path if sources else None
    gutter = {line: _places(origins, own) for line, origins in places.origins.items()}
    shown = _numbered(text, lexer, gutter, {line: visible(role) for line, role in places.roles.items()})
    note = unplaced_note(places)
    return shown if note is None else shown.append(f"\n{note}", "dim italic")


def _places(origins: Sequence[Origin], own: str | None) -> str:
    """The first origins; a plus where there are more."""
    shown = ",".join(_place(origin, own) for origin in origins[:MOST_PLACES])
    return f"{shown}+" if len(origins) > MOST_PLACES else shown


def _place(origin: Origin, own: str | None) -> str:
    if origin.file == own:
        return str(origin.line)
    name = visible(PurePath(origin.file).name)
    return f"{name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + '…'}:{origin.line}"


def _numbered(text: str, lexer: str, gutter: Mapping[int, str], roles: Mapping[int, str]) -> Text:
    shown = Text(overflow="fold")
    lines = _coloured("\n".join(split(text)), lexer).split("\n", allow_blank=True)
    digits, places = len(str(len(lines))), max(map(len, gutter.values()), default=0)
    parts = max(map(len, roles.values()), default=0)
    for number, line in enumerate(lines, start=1):
        shown.append(f"{number:>{digits}} ", "dim")
        if places:
            shown.append(f"{gutter.get(number, ''):>{places}} ", "cyan")
        if parts:
            shown.append(f"{roles.get(number, ''):<{parts}} ", "magenta")
        shown.append("│ ", "dim")
        shown.append_text(line)
        if number < len(lines):
            shown.append("\n")
    return shown


def _coloured(text: str, lexer: str) -> Text:
    """Pygments drops blank lines at the ends and may add a newline: only its colours are taken."""
    coloured = Syntax("", lexer, theme=THEME, background_color="default").highlight(text)
    shown = Text(text, overflow="fold")
    offset = text.find(coloured.plain.rstrip("\n"))
    if offset >= 0:
        for span in coloured.spans:
            shown.stylize(span.style, span.start + offset, min(span.end, len(coloured)) + offset)
    return shown
