"""Reads a recording. Nothing that comes out of a damaged file is wrong: it is whole, or there is a RecordingError."""

from __future__ import annotations

import dataclasses
import json
import threading
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from tilescope_trace.model import (
    BufferRecord,
    GeneratedLineRecord,
    LineMap,
    PassRecord,
    RecordingInfo,
    SourceFile,
)

from . import places, schema, snapshot
from .labels import labels
from .maps import TextMap, decode_map
from .packing import SIZE_LIMIT, PackingError, unpack
from .placeholder import incomplete_info
from .schema import RecordingError, damage_named, damaged
from .texts import Texts, decoded

__all__ = ["Recording", "RecordingError", "open_recording"]


def open_recording(path: Path) -> Recording:
    """The recording in ``path``, opened for reading only. Raises RecordingError."""
    schema.identify(path)
    return Recording(path)


class Recording:
    """A recording; a context manager. ``passes`` and ``info`` are read at once, the rest when asked for.

    All methods raise RecordingError where the file is damaged. They may be called from any thread.
    """

    path: Path
    info: RecordingInfo
    passes: tuple[PassRecord, ...]

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._database = snapshot.taken(path)
        try:
            with damage_named(path):
                # One moment of a file that stays open and may still be written: its tables belong together.
                self._database.execute("BEGIN")
                self._read_eagerly()
                self._database.execute("COMMIT")
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; only ``path``, ``info`` and ``passes`` can be used afterwards."""
        with self._lock:
            self._database.close()

    def text(self, name: str) -> str:
        """The IR text with the hash ``name``."""
        body, _ = self._texts.unpacked(name)
        return decoded(self.path, body, f"the IR text {name}")

    def line_map(self, name: str) -> LineMap:
        """Where the statements of the IR text with the hash ``name`` come from. Files inside the recorded workspace
        are named relative to it, as those of ``sources`` are."""
        return places.line_map(self._map(name), self.info.workspace)

    def buffers(self, name: str) -> tuple[BufferRecord, ...]:
        """The buffers of the IR text with the hash ``name``, in the order of their declaration; none in a recording
        made before buffers were kept."""
        return places.buffers(self._map(name), self.info.workspace)

    def generated_lines(self) -> tuple[GeneratedLineRecord, ...]:
        """The lines of the generated source whose origin or role is known, in order; none in a recording made before
        they were kept."""
        try:
            return places.generated_lines(self._generated or {}, self.info.workspace)
        except (TypeError, ValueError, IndexError):
            raise damaged(self.path, "the places of its generated lines cannot be read") from None

    def generated(self) -> str | None:
        """The generated device source; None where the compiler did not come so far."""
        return None if self._generated is None else self._generated["text"]

    def sources(self) -> tuple[SourceFile, ...]:
        """The Python sources as they were when recorded."""
        result = []
        with self._lock, damage_named(self.path):
            rows = self._database.execute("SELECT path, sha256, size, body, sum FROM source ORDER BY id").fetchall()
        for path, sha256, size, body, total in rows:
            if total != schema.checksum(path, sha256, size, body):
                raise damaged(self.path, f"the source {path} fails its checksum")
            try:
                text = decoded(self.path, unpack(body, b"", size), f"the source {path}")
            except PackingError as error:
                raise damaged(self.path, f"the source {path} cannot be unpacked, {error}") from None
            result.append(SourceFile(path, text, sha256))
        return tuple(result)

    def _map(self, name: str) -> TextMap:
        _, data = self._texts.unpacked(name)
        try:
            return decode_map(data)
        except PackingError as error:
            raise damaged(self.path, f"the line map of {name} cannot be read, {error}") from None

    def _read_eagerly(self) -> None:
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if not 1 <= version <= schema.SCHEMA_VERSION:
            raise damaged(self.path, f"there is no recording schema {version}")
        texts = self._database.execute("SELECT id, hash, sum FROM text ORDER BY id").fetchall()
        self._texts = Texts(self.path, self._database, self._lock, {name: at for at, name, _ in texts})
        rows = self._database.execute(f"{schema.SELECT_PASSES} ORDER BY pass.id").fetchall()
        sources = self._database.execute("SELECT sum FROM source ORDER BY id").fetchall()
        meta, meta_sums = self._read_meta()
        self._generated: dict[str, Any] | None = meta.get("generated")
        described = meta.get("info")
        self._check_seal(
            described,
            [total for _, _, total in texts]
            + [row[-1] for row in rows]
            + [total for (total,) in sources]
            + ([meta_sums["generated"]] if "generated" in meta_sums else []),
        )
        self.passes = self._pass_records(rows)
        self.info = self._read_info(described)

    def _read_meta(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        values, sums = {}, {}
        for key, total, value in self._database.execute("SELECT key, sum, value FROM meta"):
            if total != schema.checksum(key, value):
                raise damaged(self.path, f"its part {key!r} fails its checksum")
            try:
                text = zlib.decompressobj().decompress(value, SIZE_LIMIT)
                values[key], sums[key] = json.loads(text), total
            except (zlib.error, ValueError, RecursionError):
                raise damaged(self.path, f"its part {key!r} cannot be unpacked") from None
        return values, sums

    def _check_seal(self, described: dict[str, Any] | None, sums: list[Any]) -> None:
        noted = described.get("seal") if described else None
        if noted is not None and noted != schema.seal(sums):
            raise damaged(self.path, "it is not complete, passes, texts or sources are missing")

    def _pass_records(self, rows: list[tuple[Any, ...]]) -> tuple[PassRecord, ...]:
        records = []
        for row, label in zip(rows, labels([str(row[1]) for row in rows]), strict=True):
            if row[-1] != schema.checksum(*row[:-1]):
                raise damaged(self.path, f"the record of pass {row[0]} fails its checksum")
            index, name, phase, module, depth, parent, changed, before, after, duration, status, error, _ = row
            if status == "running":
                status, error = "failed", "The recording ends inside this pass."
            records.append(
                PassRecord(
                    index, name, label, phase, module, depth, parent, bool(changed), before or "", after, duration,
                    status, error,
                )
            )  # fmt: skip
        return tuple(records)

    def _read_info(self, described: dict[str, Any] | None) -> RecordingInfo:
        language = self._generated["language"] if self._generated else None
        if described is None:
            return incomplete_info(self.path.stem, language)
        try:
            info = msgspec.convert(described["info"], RecordingInfo)
        except (msgspec.ValidationError, KeyError) as error:
            raise damaged(self.path, f"its description is not valid, {error}") from None
        if info.generated_language is None and language is not None:
            info = dataclasses.replace(info, generated_language=language)
        return info
