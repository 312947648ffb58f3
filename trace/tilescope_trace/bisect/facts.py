"""Questions about facts: ``A_shared.layout.swizzle==128B``, ``launch.threads>=256``, ``calls.tma_load``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from tilescope_trace.errors import UsageError
from tilescope_trace.history.texts import base_name
from tilescope_trace.history.words import known_layout
from tilescope_trace.model import BufferRecord, Json
from tilescope_trace.store.read import Recording
from tilescope_trace.structure import Structure, structure_of

from .model import MatchedLine, Moment

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, ">=": ge, "<=": le, ">": gt, "<": lt}
_FACT = re.compile(r"\s*([\w.]+?)\.([\w.]+)\s*(?:(==|!=|>=|<=|>|<)\s*(.+?)\s*)?$")
_LAYOUT = ("kind", "summary", "swizzle", "registers_per_thread", "replicate", "threads")
_BUFFER = ("shape", "dtype", "scope", "inside", "offset", "layout", *(f"layout.{name}" for name in _LAYOUT))
_LAUNCH = ("threads", "grid")
_COUNTED = "calls, loops"
FORMS = (
    f"BUFFER.{{{', '.join(_BUFFER)}}}, launch.{{{', '.join(_LAUNCH)}}}, calls.OPERATION and "
    "loops.{serial, parallel, unrolled, vectorized}"
)
"""What can be asked for, in words."""


@dataclass(frozen=True)
class Fact:
    """The fact ``name`` of ``subject`` (a buffer, ``launch``, ``calls`` or ``loops``), compared by ``operator`` with
    ``value``; without an operator, whether there is one. Layout facts are those of the recording's end, from the pass
    on that attaches a layout."""

    subject: str
    name: str
    operator: str | None = None
    value: str | None = None

    @property
    def words(self) -> str:
        """What is asked for."""
        return f"{self.subject}.{self.name}{self.operator or ''}{self.value or ''}"

    def of(self, recording: Recording, text: str) -> Moment:
        """The fact in one text."""
        found, lines = self._value(recording, text)
        return Moment(self._holds(found), found, lines)

    def _value(self, recording: Recording, text: str) -> tuple[Json, tuple[MatchedLine, ...]]:
        if self.subject in ("launch", "calls", "loops"):
            return _counted(structure_of(recording.text(text)), self.subject, self.name), ()
        state = next((one for one in recording.buffers(text) if _is(one, self.subject)), None)
        if state is None:
            return None, ()
        body = recording.text(text).split("\n")
        lines = tuple(MatchedLine(line, body[line - 1]) for line in state.declared if line <= len(body))
        return _of_buffer(state, self.name, recording), lines

    def _holds(self, found: Json) -> bool:
        if self.operator is None:
            return bool(found)
        if found is None:
            return False
        compare, wanted = _OPERATORS[self.operator], (self.value or "").strip("\"'")
        if isinstance(found, int | float) and not isinstance(found, bool):
            try:
                return compare(found, float(wanted))
            except ValueError:
                return compare(str(found), wanted)
        plain = re.sub(r"\s", "", _plain(found)), re.sub(r"\s", "", wanted.strip("()[]"))
        return compare(*plain)


def parse_fact(text: str) -> Fact:
    """The question that a person writes. Raises UsageError, which says what can be asked."""
    found = _FACT.match(text)
    if found is None:
        raise UsageError(f"{text!r} is no fact: give one such as A_shared.layout.swizzle==128B. There are {FORMS}.")
    subject, name, operator, value = found.groups()
    known = {"launch": _LAUNCH, "loops": ("serial", "parallel", "unrolled", "vectorized"), "calls": (name,)}
    if name not in known.get(subject, _BUFFER):
        raise UsageError(f"{text!r}: there is no fact {name!r} of {subject}. There are {FORMS}.")
    return Fact(subject, name, operator, value)


def _is(state: BufferRecord, name: str) -> bool:
    return state.name == name or base_name(state.name) == name


def _of_buffer(state: BufferRecord, name: str, recording: Recording) -> Json:
    if name == "layout":
        return (layout.summary if (layout := known_layout(state, recording)) else True) if state.layout else None
    if name.startswith("layout."):
        layout = known_layout(state, recording) if state.layout else None
        return None if layout is None else getattr(layout, name.partition(".")[2])
    value = getattr(state, name)
    return list(value) if isinstance(value, tuple) else value


def _counted(structure: Structure, subject: str, name: str) -> Json:
    if subject == "calls":
        return structure.calls[name]
    if subject == "loops":
        return sum(loop.kind == name for loop in structure.loops)
    extents = [structure.threads.get(f"{'blockIdx' if name == 'grid' else 'threadIdx'}.{axis}", 1) for axis in "xyz"]
    if name == "grid":
        return extents if any(key.startswith("blockIdx") for key in structure.threads) else None
    if not any(key.startswith("threadIdx") for key in structure.threads):
        return None
    numbers = [extent for extent in extents if isinstance(extent, int)]
    return math.prod(numbers) if len(numbers) == len(extents) else "×".join(map(str, extents))


def _plain(value: Json) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
