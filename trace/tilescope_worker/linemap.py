"""The printed text of a module, and which of its lines came from which Python line and are about which buffer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import Any

from .bufferstates import BufferTable
from .compat import annotated_script, location_of
from .facts.ir import Location, kernel_bodies
from .spans.tree import checked
from .statements import Seen, Statements
from .wire.messages import BufferState

_MARK = re.compile("\x01(\\d+)\x02")
_BEHIND = re.compile(r"\s*#\s*\x01\d+\x02$")

# Annotating these two changes the layout of the text.
_UNMARKED = ("AttrStmt", "SeqStmt")

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


@dataclass(frozen=True)
class Script:
    """A module's text by lines, the statements that were marked, and the lines that each of them begins on, by its
    place among them."""

    lines: list[str]
    statements: list[Seen]
    at: dict[int, tuple[int, ...]]


class Known:
    """What is known from the modules of one request that were printed before, and must stay alive as long."""

    def __init__(self) -> None:
        self.statements = Statements()
        self.buffers = BufferTable()

    def origin(self, seen: Seen) -> tuple[str, int] | None:
        """(absolute path, line) that a statement came from, None where that is lost. A line of the user's is there to
        stay; any other may still be repaired, and is read again."""
        if seen.where is not None:
            return seen.where
        found = location_of(seen.statement)
        if found is not None:
            seen.where = checked(Location(*found))
        return found


def script_of(module: Any, statements: Statements) -> Script:
    """Print a module. Each statement is annotated with a mark, and the marks are taken out of the text again."""
    every = chain.from_iterable(map(statements.walk, kernel_bodies(module)))
    marked = list(dict.fromkeys(seen for seen in every if seen.kind not in _UNMARKED))
    marks = {seen.statement: f"\x01{number}\x02" for number, seen in enumerate(marked)}
    lines, found = _without_marks(annotated_script(module, marks))
    at: dict[int, tuple[int, ...]] = {}
    for line, mark in dict.fromkeys(found):
        at[mark] = (*at.get(mark, ()), line)
    return Script(lines, marked, at)


def with_origins(module: Any, script: Script, known: Known) -> Printed:
    """What the lines of a printed module are about, as far as its statements have their lines by now."""
    at = script.at
    files: dict[str, int] = {}
    origins: list[tuple[int, int, int]] = []
    for number, seen in enumerate(script.statements):
        origin = known.origin(seen) if number in at else None
        if origin is not None:
            file = files.setdefault(origin[0], len(files))
            origins += ((line, file, origin[1]) for line in at[number])
    named = list(files)
    placed = [(seen, at.get(number, ())) for number, seen in enumerate(script.statements)]
    buffers = known.buffers.states(module, placed, script.lines, named)
    for state in buffers:
        if state.file is not None and state.line is not None:
            origins += ((line, state.file, state.line) for line in state.declared)
    placed_lines = {line for line, _, _ in origins}
    return Printed(
        "\n".join(script.lines),
        tuple(named),
        tuple(sorted(dict.fromkeys(origins), key=lambda origin: origin[0])),
        tuple(sorted({line for lines in at.values() for line in lines} - placed_lines)),
        buffers,
    )


def _without_marks(annotated: str) -> tuple[list[str], list[tuple[int, int]]]:
    """(lines of plain text, (text line, mark) pairs). A mark on a line of its own belongs to the line below it."""
    text: list[str] = []
    found: list[tuple[int, int]] = []
    pending: list[int] = []
    for line in annotated.split("\n"):
        if "\x01" not in line:
            text.append(line)
            found += [(len(text), mark) for mark in pending]
            pending = []
            continue
        code, marks = _without_mark(line)
        if not code:
            pending += marks
            continue
        text.append(code)
        found += [(len(text), mark) for mark in pending + marks]
        pending = []
    return text, found


def _without_mark(line: str) -> tuple[str, list[int]]:
    """A line without the comment that is a mark, and all marks in it; nothing is left where that is all there is."""
    before, _, behind = line.partition("\x01")
    code, number = before.rstrip(), behind[:-1]
    if code.endswith("#") and behind.endswith("\x02") and number.isdecimal():  # all but what nobody has seen
        return code[:-1].rstrip(), [int(number)]
    return _BEHIND.sub("", line), [int(mark) for mark in _MARK.findall(line)]
