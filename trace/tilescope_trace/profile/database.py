"""SQLite files of profilers: tables may be missing, columns have changed their names, texts stand for numbers."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.source import Source

MAGIC = b"SQLite format 3\0"

Value = int | float | str | bytes | None


class Database:
    """An open database: its tables with their columns, its rows, and its texts, which stand in ``texts``."""

    def __init__(self, path: Path, connection: sqlite3.Connection, texts: str) -> None:
        self.path, self._connection, self._texts_table = path, connection, texts
        self._texts: dict[Value, str] | None = None
        tables = [str(name) for (name,) in self._all("SELECT name FROM sqlite_master WHERE type = 'table'", "schema")]
        self.columns = {
            table: {str(row[1]) for row in self._all(f"PRAGMA table_info({_quoted(table)})", table)}
            for table in tables
        }

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Value, ...]]:
        """Rows of a table, with None for columns that it lacks; none where there is no such table. Of a column given
        as ``a|b``, one of tools of different age, the first that is there counts."""
        there = self.columns.get(table)
        if there is None:
            return
        found = [next((name for name in column.split("|") if name in there), None) for column in columns]
        chosen = ", ".join("NULL" if name is None else _quoted(name) for name in found)
        yield from self._all(f"SELECT {chosen} FROM {_quoted(table)}", table)

    def text(self, key: Value) -> str:
        """The text that a number stands for; the value itself where there is none."""
        if self._texts is None:
            self._texts = {key: str(value) for key, value in self.rows(self._texts_table, ("id", "value"))}
        return self._texts.get(key, "" if key is None else str(key))

    def _all(self, query: str, table: str) -> Iterator[tuple[Value, ...]]:
        try:
            yield from self._connection.execute(query)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise ProfileError(self.path, str(error), "a whole SQLite database", f"table {table}") from error


@contextmanager
def opened(source: Source, texts: str = "") -> Iterator[Database]:
    """The database in ``source``, with its table of ``texts`` by ``id`` and ``value``. Immutable: one in WAL mode
    would otherwise get files of SQLite's beside it. What a program that was killed left in such a file (``-wal``)
    belongs to the database and is read with it, from a copy."""
    with source.local() as unpacked, _with_log(unpacked) as path:
        connection = sqlite3.connect(path.resolve().as_uri() + "?mode=ro&immutable=1", uri=True)
        connection.text_factory = lambda data: data.decode(errors="replace")
        try:
            yield Database(source.path, connection, texts)
        finally:
            connection.close()


@contextmanager
def _with_log(path: Path) -> Iterator[Path]:
    """The database, or a copy of it into which the write-ahead log that lies beside it has been merged."""
    log = path.with_name(path.name + "-wal")
    if not log.is_file() or not log.stat().st_size:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "database"
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        yield copy


def tables_of(source: Source) -> set[str]:
    """Names of the tables; empty for what is no database or a damaged one."""
    if not source.head.startswith(MAGIC):
        return set()
    try:
        with opened(source) as database:
            return set(database.columns)
    except (ProfileError, sqlite3.Error, OSError):
        return set()


def whole(value: Value) -> int | None:
    """A whole number that a column of times holds; torch_npu writes some of them as text. None for anything else."""
    try:
        number = int(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and abs(number) < 2**63 else None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
