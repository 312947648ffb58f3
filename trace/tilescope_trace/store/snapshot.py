"""One moment of a recording that may still be written, replaced or removed while it is read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from . import schema
from .schema import RecordingError

COPIED_LIMIT = 2 << 20
"""Bytes; a recording of a kernel has 100 KB, and copying takes 10 ms a megabyte. Larger files stay open, so that the
first look at them is quick: those fail, with a message, when they are recorded again while they are read."""


ATTEMPTS = 5
"""How often the file may be recorded again within one opening of it."""


def taken(path: Path, attempts: int = ATTEMPTS) -> sqlite3.Connection:
    """A connection to the recording as it is now, in memory: neither a lock nor an open file is left behind.

    An open file that is recorded again would be read with the journal of the new one, which belongs to its name.
    Raises RecordingError.
    """
    try:
        return _moment(path)
    except schema.COMPLAINTS as error:
        schema.identify(path)
        # A journal to roll back, which only a connection that may write can do: the writer was killed inside a
        # commit, or this file has been recorded again since it was opened and the journal is the new one's.
        if "readonly" not in str(error) or attempts == 1:
            raise schema.complaint(path, error) from None
    _roll_back(path)
    return taken(path, attempts - 1)


def _moment(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    file = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
    try:
        file.execute("PRAGMA user_version")
        file.execute("SELECT count(*) FROM sqlite_master")
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


def _roll_back(path: Path) -> None:
    try:
        repair = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        try:
            repair.execute("SELECT count(*) FROM sqlite_master")
        finally:
            repair.close()
    except schema.COMPLAINTS as error:
        schema.identify(path)
        raise RecordingError(
            f"{path}: its writer was killed in the middle of a write, and the file cannot be repaired here: {error}. "
            f"Copy it, together with {path.name}-journal, to a writable folder."
        ) from None
