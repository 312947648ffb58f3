"""What the pieces of a hint's label lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilescope_trace.model import Buffer, Kernel, Operation

from .fitting import Link
from .hints import Hint

SHOW_LAYOUT = "tilescope.showLayout"
"""A command of the client: the picture of a buffer's layout."""


@dataclass(frozen=True)
class Spot:
    """A place in the hint's own document (1-based, code points; without columns the whole line) and what is there."""

    line: int
    column: int | None
    end_column: int | None
    what: str


def spot_of(hint: Hint, link: Link) -> Spot | None:
    """Where a piece leads to, None where that is not known or not in the text."""
    entry, kernel = hint.variant.entry, hint.variant.kernel
    if isinstance(entry, Operation):
        target = entry.detail.get("dst") or entry.detail.get("C")
        found = next((one for one in kernel.buffers if one.name == target), None)
        return _buffer(found) if found is not None else None
    if not isinstance(entry, Buffer):
        return None
    if link == "definition":
        return _buffer(entry)
    decided = entry.layout.decided_by if entry.layout is not None else None
    if link == "decided" and decided is not None and decided.line is not None:
        return _operation(kernel, decided.line, f"the layout is decided here: {decided.reason}")
    if link == "pipeline":
        loops = [one for one in kernel.operations if one.kind == "pipeline" and one.line is not None]
        fitting = [one for one in loops if entry.stages in (one.detail.get("stages"), one.detail.get("num_stages"))]
        line = fitting[0].line if fitting else None
        return _operation(kernel, line, "the pipeline whose stages it has") if line is not None else None
    return None


def layout_subject(hint: Hint, uri: str) -> dict[str, Any] | None:
    """The argument of `SHOW_LAYOUT`: which buffer of which kernel, specialization and target."""
    entry, kernel = hint.variant.entry, hint.variant.kernel
    if not isinstance(entry, Buffer) or entry.layout is None:
        return None
    return {
        "uri": uri,
        "kernel": kernel.qualname,
        "specialization": kernel.specialization.id,
        "target": kernel.target,
        "buffer": entry.name,
        "buffer_line": entry.line,
    }


def _buffer(buffer: Buffer) -> Spot | None:
    if buffer.line is None:
        return None
    return Spot(buffer.line, buffer.column, buffer.end_column, f"{buffer.name} is allocated here")


def _operation(kernel: Kernel, line: int, what: str) -> Spot:
    at = next((one for one in kernel.operations if one.line == line and one.column is not None), None)
    return Spot(line, at.column if at else None, at.end_column if at else None, what)
