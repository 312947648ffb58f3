"""What a history is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import PassRecord


@dataclass(frozen=True)
class Subject:
    """Whose history it is: a Python line, or the buffer ``name`` with the line that allocates it, where known."""

    kind: Literal["line", "buffer"]
    name: str | None
    file: str | None
    line: int | None


@dataclass(frozen=True)
class TextLines:
    """Lines (1-based, ascending) of the IR text with the hash ``text``."""

    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """What one pass did to the subject: ``change`` in words, and the lines about it in the pass's input and output.
    ``before`` is None for what the first pass already found."""

    record: PassRecord
    change: str
    before: TextLines | None
    after: TextLines


@dataclass(frozen=True)
class GeneratedEntry:
    """A line of generated source that came of the subject."""

    line: int
    text: str
    role: str | None


@dataclass(frozen=True)
class History:
    """``steps`` in the order of the passes, only those that changed something; ``notes`` say what is not known."""

    subject: Subject
    steps: tuple[Step, ...]
    generated: tuple[GeneratedEntry, ...]
    notes: tuple[str, ...] = ()
