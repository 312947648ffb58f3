"""The IR texts and line maps of a recording, unpacked when asked for."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .packing import PackingError, unpack
from .schema import RecordingError, checksum, damage_named, damaged

CACHE_BYTES = 8 << 20
"""Kept unpacked, so that a walk through the passes unpacks each text only once."""


class Texts:
    """``ids`` maps the hash of a text to its row. Safe to use from any thread that shares ``lock``."""

    def __init__(
        self, path: Path, database: sqlite3.Connection, lock: threading.RLock, ids: Mapping[str, int]
    ) -> None:
        self._path = path
        self._database = database
        self._lock = lock
        self._ids = ids
        self._cache: OrderedDict[int, tuple[bytes, bytes]] = OrderedDict()
        self._cached = 0

    def unpacked(self, name: str) -> tuple[bytes, bytes]:
        """Text and line map of the hash ``name``, as bytes. Walks back to a text that is unpacked already or was
        packed alone. Raises RecordingError."""
        if name not in self._ids:
            raise RecordingError(
                f"{self._path}: holds no IR text {name!r}: the compiler ended before it was printed."
            )
        with self._lock, damage_named(self._path):
            waiting: list[tuple[int, tuple[Any, ...]]] = []
            at: int | None = self._ids[name]
            while at is not None and at not in self._cache:
                row = self._row(at)
                waiting.append((at, row))
                at = row[1]
            found = (b"", b"") if at is None else self._cache[at]
            if at is not None:
                self._cache.move_to_end(at)
            for number, (text_hash, _, size, map_size, body, lines) in reversed(waiting):
                try:
                    found = (unpack(body, found[0], size), unpack(lines, found[1], map_size))
                except PackingError as error:
                    raise damaged(self._path, f"the IR text {text_hash} cannot be unpacked, {error}") from None
                self._remember(number, found)
            return found

    def _row(self, at: int) -> tuple[Any, ...]:
        row = self._database.execute(
            "SELECT hash, base, size, map_size, body, map, sum FROM text WHERE id = ?", (at,)
        ).fetchone()
        if row is None:
            raise damaged(self._path, f"the IR text number {at} is missing")
        if row[-1] != checksum(*row[:-1]):
            raise damaged(self._path, f"the IR text {row[0]} fails its checksum")
        if row[2] is None:
            raise RecordingError(f"{self._path}: the IR text {row[0]} never arrived: the compiler ended before it.")
        if row[1] is not None and row[1] >= at:
            raise damaged(self._path, f"the IR text {row[0]} is packed against a later one")
        return tuple(row[:-1])

    def _remember(self, at: int, found: tuple[bytes, bytes]) -> None:
        self._cache[at] = found
        self._cached += len(found[0]) + len(found[1])
        while self._cached > CACHE_BYTES and len(self._cache) > 1:
            _, (body, lines) = self._cache.popitem(last=False)
            self._cached -= len(body) + len(lines)


def decoded(path: Path, data: bytes, what: str) -> str:
    """``data`` as text; ``what`` it is goes into the RecordingError."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise damaged(path, f"{what} is no text") from None
