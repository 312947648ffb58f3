"""One moment of a recording that may still be written, replaced or removed while it is read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from . import schema
from .schema import RecordingError

COPIED_LIMIT = 2 << 20
"""Bytes; a recording of a kernel has 100 KB, and copying takes 10 ms a megabyte. Larger files stay open, so that the
first look at them is quick: those fail, with a message, when they are recorded again while they are read."""


def taken(path: Path) -> sqlite3.Connection:
    """A connection to the recording as it is now, in memory: neither a lock nor an open file is left behind.

    An open file that is recorded again would be read with the journal of the new one, which belongs to its name.
    Raises RecordingError.
    """
    file = _connect(path)
    try:
        with schema.damage_named(path):
            # Of the file that is open: the one of this name may be gone by now.
            (pages,), (size,) = (file.execute(f"PRAGMA page_{what}").fetchone() for what in ("count", "size"))
            if pages * size > COPIED_LIMIT:
                return file
            memory = _in_memory(file)
    except BaseException:
        file.close()
        raise
    file.close()
    return memory


def _in_memory(file: sqlite3.Connection) -> sqlite3.Connection:
    # The lock is taken before: copying would wait for it for ever.
    file.execute("BEGIN")
    (size,) = file.execute("PRAGMA page_size").fetchone()
    file.execute("SELECT count(*) FROM sqlite_master")
    memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        memory.execute(f"PRAGMA page_size = {int(size)}")
        file.backup(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def _connect(path: Path) -> sqlite3.Connection:
    """A read-only connection. A writer killed inside a commit leaves a journal that must be rolled back first, and
    only a connection that may write can do it."""
    address = path.absolute().as_uri()
    database = sqlite3.connect(f"{address}?mode=ro", uri=True, check_same_thread=False, isolation_level=None)
    try:
        database.execute("PRAGMA user_version")
        database.execute("SELECT count(*) FROM sqlite_master")
    except schema.COMPLAINTS as error:
        database.close()
        if "locked" in str(error) or not path.with_name(path.name + "-journal").exists():
            raise schema.complaint(path, error) from None
        _roll_back(path)
        return sqlite3.connect(f"{address}?mode=ro", uri=True, check_same_thread=False, isolation_level=None)
    return database


def _roll_back(path: Path) -> None:
    try:
        repair = sqlite3.connect(path, isolation_level=None)
        try:
            repair.execute("SELECT count(*) FROM sqlite_master")
        finally:
            repair.close()
    except schema.COMPLAINTS as error:
        raise RecordingError(
            f"{path}: its writer was killed in the middle of a write, and the file cannot be repaired here: {error}. "
            f"Copy it, together with {path.name}-journal, to a writable folder."
        ) from None
