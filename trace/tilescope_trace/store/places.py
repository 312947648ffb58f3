"""Stored places, with files named as readers know them: relative to the recorded workspace where they lie in it."""

from __future__ import annotations

from typing import Any

from tilescope_trace.model import BufferRecord, GeneratedLineRecord, LineMap, Origin

from .maps import TextMap


def line_map(stored: TextMap, workspace: str | None) -> LineMap:
    """Origins by text line; a line may have several."""
    named = [relative(file, workspace) for file in stored.files]
    origins: dict[int, tuple[Origin, ...]] = {}
    for line, file, python in stored.lines:
        origin = Origin(named[file], python)
        if origin not in origins.get(line, ()):
            origins[line] = (*origins.get(line, ()), origin)
    return LineMap(origins, stored.unplaced)


def buffers(stored: TextMap, workspace: str | None) -> tuple[BufferRecord, ...]:
    """The buffers of a text, in the order of their declaration."""
    named = [relative(file, workspace) for file in stored.files]
    return tuple(
        BufferRecord(
            state.name,
            state.key,
            None if state.file is None or state.line is None else Origin(named[state.file], state.line),
            state.shape,
            state.dtype,
            state.scope,
            state.declared,
            state.used,
            state.layout,
            state.inside,
            state.offset,
        )
        for state in stored.buffers
    )


def generated_lines(stored: dict[str, Any], workspace: str | None) -> tuple[GeneratedLineRecord, ...]:
    """The lines of the generated source whose origin or role is known, in order. Raises TypeError, ValueError or
    IndexError where they are not what was written."""
    named = [relative(file, workspace) for file in stored.get("files", ())]
    return tuple(
        GeneratedLineRecord(int(line), tuple(Origin(named[file], int(python)) for file, python in origins), role)
        for line, origins, role in sorted(stored.get("lines", ()), key=lambda row: int(row[0]))
    )


def relative(file: str, workspace: str | None) -> str:
    """``file`` from the folder ``workspace`` on, with slashes; as it is where it lies elsewhere."""
    if workspace:
        for separator in ("/", "\\"):
            root = workspace.rstrip("/\\") + separator
            if file.startswith(root):
                return file[len(root) :].replace("\\", "/") if separator == "\\" else file[len(root) :]
    return file
