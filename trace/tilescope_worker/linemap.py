"""The printed text of a module, and which of its lines came from which Python line and are about which buffer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tvm import tirx

from .bufferstates import BufferTable
from .compat import annotated_script, location_of
from .facts.ir import kernel_bodies, statements
from .wire.messages import BufferState

_MARK = re.compile("\x01(\\d+)\x02")
_OWN_LINE = re.compile(r"\s*#\s*\x01\d+\x02")
_BEHIND = re.compile(r"\s*#\s*\x01\d+\x02$")

# Annotating these two changes the layout of the text.
_UNMARKED = (tirx.AttrStmt, tirx.SeqStmt)

Lines = tuple[tuple[int, int, int], ...]
"""(1-based text line, index into the files, 1-based Python line), in text order."""


@dataclass(frozen=True)
class Printed:
    """A module's text, byte for byte that of ``module.script()``, and what its lines are about, as in PassText."""

    text: str
    files: tuple[str, ...]
    lines: Lines
    unplaced: tuple[int, ...]
    buffers: tuple[BufferState, ...]


def print_with_lines(module: Any, table: BufferTable) -> Printed:
    """Print a module. Each statement is annotated with a mark, and the marks are taken out of the text again."""
    marks: dict[Any, str] = {}
    for body in kernel_bodies(module):
        for statement in statements(body):
            if not isinstance(statement, _UNMARKED) and statement not in marks:
                marks[statement] = f"\x01{len(marks)}\x02"
    text, found = _without_marks(annotated_script(module, marks))
    at: dict[int, tuple[int, ...]] = {}
    for line, mark in dict.fromkeys(found):
        at[mark] = (*at.get(mark, ()), line)
    files: dict[str, int] = {}
    origins: list[tuple[int, int, int]] = []
    for number, statement in enumerate(marks):
        origin = location_of(statement) if number in at else None
        if origin is not None:
            file = files.setdefault(origin[0], len(files))
            origins += ((line, file, origin[1]) for line in at[number])
    named = list(files)
    placed = [(statement, at.get(number, ())) for number, statement in enumerate(marks)]
    buffers = table.states(module, placed, text.split("\n"), named)
    for state in buffers:
        if state.file is not None and state.line is not None:
            origins += ((line, state.file, state.line) for line in state.declared)
    known = {line for line, _, _ in origins}
    return Printed(
        text,
        tuple(named),
        tuple(sorted(dict.fromkeys(origins), key=lambda origin: origin[0])),
        tuple(sorted({line for lines in at.values() for line in lines} - known)),
        buffers,
    )


def _without_marks(annotated: str) -> tuple[str, list[tuple[int, int]]]:
    """(plain text, (text line, mark) pairs). A mark on a line of its own belongs to the line below it."""
    text: list[str] = []
    found: list[tuple[int, int]] = []
    pending: list[int] = []
    for line in annotated.split("\n"):
        if "\x01" not in line:
            text.append(line)
            found += [(len(text), mark) for mark in pending]
            pending = []
            continue
        marks = [int(mark) for mark in _MARK.findall(line)]
        if _OWN_LINE.fullmatch(line):
            pending += marks
            continue
        text.append(_BEHIND.sub("", line))
        found += [(len(text), mark) for mark in pending + marks]
        pending = []
    return "\n".join(text), found
