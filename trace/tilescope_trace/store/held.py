"""One writer at a time for a file: a descriptor that keeps others out until it is closed, or its process ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


class Held(Exception):  # noqa: N818 - not a fault: somebody else is at work
    """Another writer has the file."""


def hold(path: Path) -> int | None:
    """A descriptor that holds the file at ``path``; None where there is none. Raises Held, and OSError where it
    cannot be opened. Where the file system knows no locks, everybody holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    return _locked(descriptor)


def create(path: Path) -> int:
    """Make an empty file at ``path``, where there is none, and hold it. Raises Held where somebody was faster, and
    OSError."""
    try:
        return _locked(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        raise Held from None


def _locked(descriptor: int) -> int:
    if sys.platform == "win32":  # there an open file cannot be removed anyway
        return descriptor
    try:
        # Not lockf: SQLite locks the same file with that, and closing our descriptor would drop its locks.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Held from None
    except OSError:
        return descriptor
    return descriptor
