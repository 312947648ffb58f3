"""Bookmarks and notes of readers, in a file beside the recording: the recording itself is never changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import msgspec

from tilescope_trace.errors import UsageError
from tilescope_trace.whole import write_whole

SCHEMA = "tilescope.notes/1"
SIZE_LIMIT = 16 << 20
"""Bytes; no one writes more notes than that, so a larger file is something else."""


@dataclass(frozen=True)
class Note:
    """A bookmark, or a note where there is ``text``. ``pane`` is where it stands; in the text of the pass labelled
    ``label`` it is at line ``after`` of the output, or at line ``before`` of the input where the pass took the line
    away; in a source at line ``after`` of ``file``. ``excerpt`` is the line itself, to find it again in another
    recording of the kernel. Lines are 1-based; ``created`` is ISO 8601, UTC."""

    pane: Literal["text", "source", "generated"]
    label: str | None
    file: str | None
    before: int | None
    after: int | None
    excerpt: str
    text: str = ""
    created: str = ""

    @property
    def place(self) -> tuple[str, str | None, str | None, int | None, int | None]:
        """What tells notes apart: at most one stands at each place."""
        return self.pane, self.label, self.file, self.before, self.after


@dataclass(frozen=True)
class _File:
    schema: str
    notes: tuple[Note, ...] = ()


def notes_path(recording: Path) -> Path:
    """Where the notes of a recording are: ``gemm.tscope.notes.json``."""
    return recording.with_name(recording.name + ".notes.json")


def read_notes(path: Path) -> tuple[Note, ...]:
    """The notes in ``path``, none where there is no file. Raises UsageError for a file that holds something else."""
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise UsageError(f"{path}: too large to be notes. Move it away to write notes here.")
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UsageError(f"{path}: notes cannot be read: {error.strerror or error}") from None
    try:
        found = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"{path}: these are no notes: {error}. Move the file away to write notes here.") from None
    if found.schema != SCHEMA:
        raise UsageError(f"{path}: notes of another version ({found.schema!r}). Use a newer tilescope.")
    return found.notes


def change_notes(path: Path, change: Callable[[tuple[Note, ...]], tuple[Note, ...]]) -> tuple[Note, ...]:
    """Put ``change`` of the notes that are in the file now in their place, and return it: what another reader wrote
    meanwhile stays. The file is always whole. Raises UsageError where it cannot be written, and for a file that is
    no notes, which is left alone."""
    notes = change(read_notes(path))
    text = json.dumps({"schema": SCHEMA, "notes": [asdict(note) for note in notes]}, ensure_ascii=True, indent=1)
    try:
        if not notes:
            path.unlink(missing_ok=True)
            return notes
        write_whole(path, f"{text}\n".encode("ascii"))
    except OSError as error:
        raise UsageError(f"{path}: notes cannot be written: {error.strerror or error}") from None
    return notes


def with_note(notes: tuple[Note, ...], note: Note) -> tuple[Note, ...]:
    """``notes`` with ``note`` in place of any other at its place."""
    return (*without_note(notes, note), note)


def without_note(notes: tuple[Note, ...], note: Note) -> tuple[Note, ...]:
    """``notes`` without the one at the place of ``note``."""
    return tuple(other for other in notes if other.place != note.place)
