"""Writes a recording as its events arrive, so that whatever ends the writer leaves a readable file."""

from __future__ import annotations

import dataclasses
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from tilescope_trace.errors import UsageError
from tilescope_trace.model import RecordingInfo, SourceFile
from tilescope_worker.wire.messages import Generated, PassBegan, PassEnded, PassText

from . import schema
from .held import Held, create, hold
from .maps import TextMap, encode_map
from .packing import pack

CHAIN_LIMIT = 16
"""Texts packed one against the other before one is packed alone: bounds the work for a text in the middle."""

OPEN_PASS_ERROR = "The compiler ended inside this pass."


class RecordingWriter:
    """Context manager that writes the recording ``path``; an older recording there is replaced.

    ``info``, where given, describes the recording while it is incomplete; ``finish`` replaces it. Without ``finish``
    the recording keeps the status ``incomplete``. All methods raise UsageError when the file cannot be written, as it
    cannot while another process records into it.
    """

    def __init__(self, path: Path, info: RecordingInfo | None = None) -> None:
        # A link stays a link: what it points to is written.
        self.path = Path(os.path.realpath(path))
        self._info = info
        self._ids: dict[str, int] = {}
        self._arrived: set[int] = set()
        self._base = b""
        self._base_map = b""
        self._base_id: int | None = None
        self._chain = 0
        self._last_text: int | None = None

    def __enter__(self) -> RecordingWriter:
        self._held = _make_way(self.path)
        with self._errors_named():
            self._database = sqlite3.connect(self.path, isolation_level=None)
            for pragma in (
                f"page_size = {schema.PAGE_SIZE}",
                # A killed process loses nothing that it wrote; only a power cut could, and a recording is no ledger.
                "synchronous = OFF",
                # Not WAL: a recording is one file, also after kill -9 and on a read-only disk.
                "journal_mode = DELETE",
            ):
                self._database.execute(f"PRAGMA {pragma}")
            # In one transaction: a reader finds an empty file or a recording, never something between.
            self._database.executescript(
                f"BEGIN;PRAGMA application_id = {schema.APPLICATION_ID};"
                f"PRAGMA user_version = {schema.SCHEMA_VERSION};{schema.TABLES}"
            )
            if self._info is not None:
                self._put("info", _info_json(dataclasses.replace(self._info, status="incomplete"), None))
            self._database.execute("COMMIT")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._errors_named():
            try:
                self._commit()
            finally:
                self._database.close()
                os.close(self._held)

    def add(self, event: PassBegan | PassText | PassEnded | Generated) -> None:
        """Store one event. Texts are committed with the pass that refers to them."""
        with self._errors_named():
            self._begin()
            if isinstance(event, PassText):
                self._add_text(event)
                return
            if isinstance(event, PassBegan):
                self._add_began(event)
            elif isinstance(event, PassEnded):
                self._add_ended(event)
            else:
                places = [(line.line, line.origins, line.role) for line in event.lines]
                self._put(
                    "generated",
                    {"language": event.language, "text": event.text, "files": event.files, "lines": places},
                )
            self._commit()

    def add_source(self, source: SourceFile) -> None:
        """Store a Python source as it was when recorded."""
        body = source.text.encode("utf-8", "surrogatepass")
        with self._errors_named():
            self._begin()
            row = (_storable(source.path), source.sha256, len(body), pack(body, b""))
            self._database.execute(
                "INSERT INTO source (path, sha256, size, body, sum) VALUES (?, ?, ?, ?, ?)",
                (*row, schema.checksum(*row)),
            )
            self._commit()

    def finish(self, info: RecordingInfo, error: str = OPEN_PASS_ERROR) -> None:
        """Complete the recording. Passes that began and did not end become failed with ``error``."""
        with self._errors_named():
            self._begin()
            open_passes = self._database.execute("SELECT id FROM pass WHERE status = 'running'").fetchall()
            for (index,) in open_passes:
                self._database.execute("UPDATE pass SET status = 'failed', error = ? WHERE id = ?", (error, index))
                self._sum_pass(index)
            sums = [
                row[0]
                for table, key in (("text", "id"), ("pass", "id"), ("source", "id"))
                for row in self._database.execute(f"SELECT sum FROM {table} ORDER BY {key}")
            ]
            sums += [row[0] for row in self._database.execute("SELECT sum FROM meta WHERE key = 'generated'")]
            self._put("info", _info_json(info, schema.seal(sums)))
            self._commit()

    def _add_text(self, event: PassText) -> None:
        at = self._text_id(event.hash)
        self._last_text = at
        if at in self._arrived:
            return
        if self._chain >= CHAIN_LIMIT:
            self._base, self._base_map, self._base_id, self._chain = b"", b"", None, 0
        body = event.text.encode("utf-8", "surrogatepass")
        lines = encode_map(TextMap(event.files, event.lines, event.unplaced, event.buffers))
        # A text announced by a pass before it came has the smaller number and cannot lean on a later one.
        base_id = self._base_id if self._base_id is not None and self._base_id < at else None
        base, base_map = (self._base, self._base_map) if base_id is not None else (b"", b"")
        row = (event.hash, base_id, len(body), len(lines), pack(body, base), pack(lines, base_map))
        self._database.execute(
            "UPDATE text SET hash = ?, base = ?, size = ?, map_size = ?, body = ?, map = ?, sum = ? WHERE id = ?",
            (*row, schema.checksum(*row), at),
        )
        self._arrived.add(at)
        self._base, self._base_map, self._base_id, self._chain = body, lines, at, self._chain + 1

    def _text_id(self, name: str) -> int:
        if name not in self._ids:
            row = (name, None, None, None, None, None)
            cursor = self._database.execute(
                "INSERT INTO text (hash, sum) VALUES (?, ?)", (name, schema.checksum(*row))
            )
            self._ids[name] = int(cursor.lastrowid or 0)
        return self._ids[name]

    def _add_began(self, event: PassBegan) -> None:
        """The input of a running pass is the newest text; its end brings the exact one."""
        self._put_pass(event, "both", False, self._last_text, None, 0.0, "running", None)

    def _add_ended(self, event: PassEnded) -> None:
        before = self._text_id(event.before)
        after = None if event.after is None else self._text_id(event.after)
        error = None if event.error is None else _storable(event.error)
        self._put_pass(event, event.module, event.changed, before, after, event.duration_ms, event.status, error)

    def _put_pass(self, event: PassBegan | PassEnded, *rest: schema.Value) -> None:
        row = (event.index, _storable(event.name), event.phase, rest[0], event.depth, event.parent, *rest[1:])
        self._database.execute(
            "INSERT OR REPLACE INTO pass (id, name, phase, module, depth, parent, changed, before, after, "
            "duration_ms, status, error, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'')",
            row,
        )
        self._sum_pass(event.index)

    def _sum_pass(self, index: int) -> None:
        """The checksum of a pass is over what is stored, so it is taken from there."""
        row = self._database.execute(f"{schema.SELECT_PASSES} WHERE pass.id = ?", (index,)).fetchone()
        self._database.execute("UPDATE pass SET sum = ? WHERE id = ?", (schema.checksum(*row[:-1]), index))

    def _put(self, key: str, value: object) -> None:
        data = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)
        self._database.execute(
            "INSERT OR REPLACE INTO meta (key, sum, value) VALUES (?, ?, ?)", (key, schema.checksum(key, data), data)
        )

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._database.execute("BEGIN")

    def _commit(self) -> None:
        if self._database.in_transaction:
            self._database.execute("COMMIT")

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise UsageError(
                f"{self.path}: the recording cannot be written: {error}. Choose a file in a writable folder."
            ) from None


def _storable(text: str) -> str:
    """SQLite takes no lone surrogates, which odd file names and compiler output may hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _info_json(info: RecordingInfo, seal: str | None) -> dict[str, object]:
    return {"seal": seal, "info": dataclasses.asdict(info)}


def _make_way(path: Path) -> int:
    """Replaces an older recording at ``path`` by an empty file, and holds that; anything else there is the user's and
    stays."""
    try:
        if path.is_dir():
            raise UsageError(f"{path}: a folder. Give the name of the recording, such as {path / 'kernel.tscope'}.")
        if not path.parent.is_dir():
            raise UsageError(f"{path}: there is no folder {path.parent}. Create it or choose another name.")
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: a device, pipe or socket. Choose the name of a file.")
        if path.exists() and path.stat().st_size:
            with path.open("rb") as file:
                header = file.read(schema.HEADER_SIZE)
            if not schema.is_recording(header):
                raise UsageError(f"{path}: exists and is not a recording. Choose another name or remove it.")
        older = hold(path)
        try:
            path.unlink(missing_ok=True)
            # A journal left by a killed writer would be played into the new file.
            path.with_name(path.name + "-journal").unlink(missing_ok=True)
            return create(path)
        finally:
            if older is not None:
                os.close(older)
    except Held:
        raise UsageError(
            f"{path}: another process is recording into it. Wait until it is done, or choose another name."
        ) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be replaced: {error.strerror or error}. Choose another name.") from None
