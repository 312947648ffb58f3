"""Generated sources that a user edits: what the runs of a program made of them."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tilescope_trace.errors import UsageError
from tilescope_trace.store.retention import keep_out_of_version_control
from tilescope_worker.editing.hook import NOTES

EDITS = "TILESCOPE_EDITS"
"""The variable that asks for the hook, and names the folder of the files."""
CACHES = ".cache-*"
"""TileLang's caches of single processes: a kernel of an edited source must reach no other program."""
_ORDER = ("conflict", "unresolved", "unreadable", "merged", "edited", "regenerated", "written", "unchanged")


@dataclass(frozen=True)
class Edited:
    """A file of a generated source after a run. ``outcome`` is one of `tilescope_worker.editing.files`, or
    unreadable: then ``said`` tells the reason."""

    file: str
    outcome: str
    conflicts: int = 0
    said: str = ""


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder ready, and keep other runs out of it while this lasts. Raises UsageError where it cannot be
    written, and where another run has it."""
    try:
        keep_out_of_version_control(folder.parent)
        folder.mkdir(exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        descriptor = _locked(folder)
    except BlockingIOError:
        raise UsageError(
            f"{folder} is used by another trace --edit: wait for its end, or give this one a folder with -o"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror or error}") from None
    try:
        clear(folder)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the folder's lock until it is closed; None where there are no such locks."""
    if os.name != "posix":
        return None
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:  # a file system without locks
        os.close(descriptor)
        return None
    return descriptor


def clear(folder: Path) -> None:
    """Remove what a run needs for itself."""
    for path in (folder / NOTES, *folder.glob(CACHES)):
        shutil.rmtree(path, ignore_errors=True)


def edited(folder: Path) -> tuple[Edited, ...]:
    """What became of each source in the last run, by name of file. A file that several processes or compiles used has
    the outcome that matters most."""
    found: dict[str, Edited] = {}
    for one in _noted(sorted((folder / NOTES).glob("*.jsonl"))):
        before = found.get(one.file)
        if before is None or _ORDER.index(one.outcome) < _ORDER.index(before.outcome):
            found[one.file] = one
    return tuple(found[name] for name in sorted(found))


def _noted(paths: Iterable[Path]) -> Iterable[Edited]:
    for path in paths:
        for line in path.read_bytes().splitlines(keepends=True):
            # A process that was killed may leave half a line.
            if line.endswith(b"\n"):
                yield msgspec.json.decode(line, type=Edited)
