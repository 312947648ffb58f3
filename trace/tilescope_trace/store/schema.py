"""The file format of a recording: an SQLite database with checksums of its own.

SQLite notices a cut-off file and a broken tree, but not a flipped bit in a value: each row therefore carries a
checksum of its content (``sum``), and the finished recording a seal over all of them. ``application_id`` tells a
recording from any other database, ``user_version`` is the version of the tables below.
"""

from __future__ import annotations

import hashlib
import shlex
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tilescope_trace.errors import UsageError

APPLICATION_ID = int.from_bytes(b"TSCP", "big")
SCHEMA_VERSION = 2
"""1 had no buffers, no statements without a known line, and no places of generated lines. It is still read: the parts
are absent."""
PAGE_SIZE = 1024
"""Bytes; small pages, since a recording has five small tables and each takes at least one page."""

SQLITE_MAGIC = b"SQLite format 3\x00"
HEADER_SIZE = 100
_VERSION_AT, _APPLICATION_AT = 60, 68

TABLES = """
CREATE TABLE meta (
  key TEXT PRIMARY KEY,        -- info, generated
  sum BLOB NOT NULL,
  value BLOB NOT NULL          -- zlib of JSON
) WITHOUT ROWID;
CREATE TABLE text (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  base INTEGER,                -- id of the text this one is packed against; smaller than id
  size INTEGER,                -- bytes of the text as UTF-8; NULL where the text never arrived
  map_size INTEGER,            -- bytes of the map (lines, buffers) as JSON
  sum BLOB NOT NULL,
  body BLOB,                   -- packed text
  map BLOB                     -- packed map
);
CREATE TABLE pass (
  id INTEGER PRIMARY KEY,      -- order of start
  name TEXT NOT NULL,
  phase TEXT,
  module TEXT NOT NULL,
  depth INTEGER NOT NULL,
  parent INTEGER,
  changed INTEGER NOT NULL,
  before INTEGER,              -- text.id
  after INTEGER,
  duration_ms REAL NOT NULL,
  status TEXT NOT NULL,        -- running, ok, failed
  error TEXT,
  sum BLOB NOT NULL
);
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  sum BLOB NOT NULL,
  body BLOB NOT NULL           -- packed text
);
"""

SELECT_PASSES = """
SELECT pass.id, name, phase, module, depth, parent, changed, b.hash, a.hash, duration_ms, status, error, pass.sum
FROM pass LEFT JOIN text b ON b.id = pass.before LEFT JOIN text a ON a.id = pass.after
"""
"""A pass as its checksum sees it: with the hashes of its texts instead of their numbers."""

COMPLAINTS = (sqlite3.Error, UnicodeDecodeError)
"""What the sqlite3 module raises for a damaged file: its own messages quote the damage and may not decode."""

Value = None | int | float | str | bytes


class RecordingError(UsageError):
    """A file that is no readable recording; the message names the file, what is wrong and what to do."""


def checksum(*values: Value) -> bytes:
    """Eight bytes that change when any of ``values`` does, in value or in type."""
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        digest.update(f"{type(value).__name__}:{len(data)}:".encode())
        digest.update(data)
    return digest.digest()


def seal(sums: Iterable[bytes]) -> str:
    """One hexadecimal checksum over the checksums of all rows: a missing row breaks it."""
    return checksum(*sums).hex()


def damaged(path: Path, what: str) -> RecordingError:
    """The error for a recording whose content does not hold together."""
    return RecordingError(
        f"{path}: damaged recording: {what}. Take another copy of the file or record the kernel again."
    )


def complaint(path: Path, error: Exception) -> RecordingError:
    """The error for what SQLite says about the file."""
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        return RecordingError(f"{path}: another process is writing it and does not let go. Try again.")
    return damaged(path, f"SQLite says {str(error)!r}")


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Turns SQLite's complaints about the file into RecordingError."""
    try:
        yield
    except COMPLAINTS as error:
        raise complaint(path, error) from None


def is_recording(header: bytes) -> bool:
    """Whether a file with these first bytes is a recording, of whatever version."""
    mark = header[_APPLICATION_AT : _APPLICATION_AT + 4]
    return header.startswith(SQLITE_MAGIC) and int.from_bytes(mark, "big") == APPLICATION_ID


def identify(path: Path) -> None:
    """Raises RecordingError unless ``path`` begins like a recording that this version can read."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise RecordingError(f"{path}: a device, pipe or socket, not a recording. Name a .tscope file.")
        with path.open("rb") as file:
            header = file.read(HEADER_SIZE)
    except FileNotFoundError:
        raise RecordingError(
            f"{path}: no such file. Record one with `tilescope trace FILE -o {shlex.quote(str(path))}`."
        ) from None
    except IsADirectoryError:
        raise RecordingError(f"{path}: a folder, not a recording. Name a .tscope file in it.") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror or error}.") from None
    if not header:
        raise RecordingError(f"{path}: empty, not a recording. Record the kernel again.")
    if not header.startswith(SQLITE_MAGIC[: len(header)]):
        raise RecordingError(f"{path}: not a tilescope recording. Give a .tscope file made by `tilescope trace`.")
    if len(header) < HEADER_SIZE:
        raise damaged(path, f"the file ends after {len(header)} bytes")
    if not is_recording(header):
        raise RecordingError(
            f"{path}: an SQLite database, but not a tilescope recording. "
            "Give a .tscope file made by `tilescope trace`."
        )
    version = int.from_bytes(header[_VERSION_AT : _VERSION_AT + 4], "big")
    if version > SCHEMA_VERSION:
        raise RecordingError(
            f"{path}: written by a newer tilescope (recording schema {version}; this one reads up to "
            f"{SCHEMA_VERSION}). Upgrade tilescope."
        )
    if version < 1:
        raise damaged(path, f"there is no recording schema {version}")
