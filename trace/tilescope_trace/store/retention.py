"""Recordings that lie in a folder: what they are of, how much room they take, and which of them are to go."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilescope_trace.errors import UsageError

from . import schema
from .read import open_recording

FOLDER = Path(".tilescope")
"""Where recordings go that are given no name; it keeps itself out of version control."""
SUFFIX = ".tscope"
IN_USE_S = 600.0
"""An incomplete recording written to within so many seconds may still be in the making: no pass takes longer."""

Status = Literal["ok", "failed", "incomplete", "unreadable"]


@dataclass(frozen=True)
class StoredRecording:
    """A recording on disk. ``bytes`` are those of the file and of what lies beside it; ``modified`` is in seconds
    since the epoch. ``beside`` are files that belong to it (a journal that a killed writer left, notes). ``problem``
    says why one cannot be read; ``kernel``, ``target`` and ``specialization`` are then None, as they are of one that
    was cut off before it was described."""

    path: Path
    bytes: int
    modified: float
    status: Status
    kernel: str | None
    target: str | None
    specialization: str | None
    passes: int
    beside: tuple[Path, ...]
    problem: str | None = None

    @property
    def noted(self) -> bool:
        """Whether somebody's notes lie beside it."""
        return any(not path.name.endswith("-journal") for path in self.beside)


def keep_out_of_version_control(folder: Path) -> None:
    """Make ``folder``, with a .gitignore of its own if it is `FOLDER`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if folder.name == FOLDER.name and not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")


def stored(folder: Path) -> tuple[StoredRecording, ...]:
    """The recordings in ``folder`` (not below it), the newest first; of files with another suffix or content none.
    None in a folder that does not exist. Raises UsageError for one that cannot be read."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be read: {error.strerror or error}. Name a folder of recordings."
        ) from None
    found = []
    for name in names:
        # Gone meanwhile, as when two of us prune at once: not there.
        with contextlib.suppress(FileNotFoundError):
            one = _stored(folder / name, names) if name.endswith(SUFFIX) else None
            if one is not None:
                found.append(one)
    return tuple(sorted(found, key=lambda one: (-one.modified, one.path.name)))


def to_remove(
    recordings: Sequence[StoredRecording],
    now: float,
    *,
    keep: int | None = None,
    older_than: float | None = None,
    noted: bool = False,
) -> tuple[StoredRecording, ...]:
    """Those that are neither among the ``keep`` newest nor younger than ``older_than`` seconds, the newest first.
    Never one that may still be written, and one with notes only where ``noted``."""
    newest = sorted(recordings, key=lambda one: (-one.modified, one.path.name))
    return tuple(
        one
        for one in newest[keep or 0 :]
        if (older_than is None or now - one.modified > older_than)
        and not in_use(one, now)
        and (noted or not one.noted)
    )


def in_use(one: StoredRecording, now: float) -> bool:
    """Whether a recorder may still be writing it."""
    return one.status == "incomplete" and now - one.modified < IN_USE_S


def remove(recordings: Iterable[StoredRecording]) -> None:
    """Remove them with what lies beside them. Raises UsageError, which names the one that cannot be removed."""
    for one in recordings:
        for path in (one.path, *one.beside):
            _unlink(path)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be removed: {error.strerror or error}") from None


def _stored(path: Path, names: Sequence[str]) -> StoredRecording | None:
    status = path.stat()
    if not path.is_file() or not _is_ours(path):
        return None
    # gemm.tscope-journal, gemm.tscope.notes.json: whatever is named after the file belongs to it.
    beside = tuple(
        path.with_name(name)
        for name in names
        if name.startswith((f"{path.name}-", f"{path.name}.")) and name != path.name
    )
    size = status.st_size + sum(other.stat().st_size for other in beside)
    modified = status.st_mtime
    try:
        with open_recording(path) as recording:
            info, passes = recording.info, len(recording.passes)
    except UsageError as error:
        return StoredRecording(path, size, modified, "unreadable", None, None, None, 0, beside, str(error))
    kernel = info.kernel
    described = bool(info.created)
    return StoredRecording(
        path,
        size,
        modified,
        info.status,
        kernel.qualname if described else None,
        kernel.target if described else None,
        kernel.specialization.id if described else None,
        passes,
        beside,
    )


def _is_ours(path: Path) -> bool:
    """Whether a file begins like a recording, of whatever version; one that cannot be read is taken for none."""
    try:
        with path.open("rb") as file:
            return schema.is_recording(file.read(schema.HEADER_SIZE))
    except OSError:
        return False
