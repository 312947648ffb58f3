"""IR after a pass and generated source, with their line numbers."""

from __future__ import annotations

from pathlib import PurePath

from rich.syntax import Syntax
from rich.text import Text
from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.store.read import Recording

from tilescope_passdiff.lines import split
from tilescope_passdiff.render.json import generated_text

from .controls import visible

LEXERS = {"cuda": "cuda", "hip": "cuda", "webgpu": "wgsl", "c": "c"}
"""Pygments lexers of generated languages that are not close to C++."""
THEME = "ansi_dark"
"""The terminal's own sixteen colours, without a background."""

NAME_WIDTH = 16
"""Characters of a foreign file's name in the gutter."""


def pass_text(recording: Recording, record: PassRecord) -> Text:
    """The IR after a pass (its input where it failed): line number, Python line it comes from, text. Lines from
    another file than the kernel's carry that file's name."""
    name = record.after if record.after is not None else record.before
    text, origins = visible(recording.text(name)), recording.line_map(name).origins
    sources = recording.sources()
    own = sources[0].path if sources else None
    gutter = {line: _place(places[0], own) for line, places in origins.items()}
    return _numbered(text, "python", gutter)


def generated_source(recording: Recording, *, numbers: bool = False) -> Text:
    """The generated source, coloured; without line numbers its text is the source itself. Raises UsageError where
    there is none."""
    text = visible(generated_text(recording))
    lexer = LEXERS.get(recording.info.generated_language or "", "cpp")
    return _numbered(text, lexer, {}) if numbers else _coloured(text, lexer)


def _place(origin: Origin, own: str | None) -> str:
    if origin.file == own:
        return str(origin.line)
    name = visible(PurePath(origin.file).name)
    return f"{name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + '…'}:{origin.line}"


def _numbered(text: str, lexer: str, gutter: dict[int, str]) -> Text:
    shown = Text(overflow="fold")
    lines = _coloured("\n".join(split(text)), lexer).split("\n", allow_blank=True)
    digits, places = len(str(len(lines))), max(map(len, gutter.values()), default=0)
    for number, line in enumerate(lines, start=1):
        shown.append(f"{number:>{digits}} ", "dim")
        if places:
            shown.append(f"{gutter.get(number, ''):>{places}} ", "cyan")
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
