"""A profiler file as importers see it: its first bytes, its bytes as a stream, whatever it is packed with."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from .errors import ProfileError

HEAD_BYTES = 64 * 1024
"""How much of a file its format is told from."""

PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
"""How packed files begin, and what opens them."""


@dataclass(frozen=True)
class Source:
    """A file or folder somebody gave as a profile. Bytes are always unpacked ones, behind the byte order mark that
    editors and shells of Windows put before UTF-8."""

    path: Path

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder; then it has no bytes."""
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """The first bytes, empty for a folder."""
        if self.is_folder:
            return b""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The bytes as a stream. A file that is cut off or damaged in its packing is a ProfileError."""
        try:
            with self.path.open("rb") as raw:
                start = raw.read(6)
                raw.seek(0)
                opener = next((opener for magic, opener in PACKED.items() if start.startswith(magic)), None)
                if opener is None:
                    yield _behind_mark(raw)
                else:
                    with opener(raw) as stream:
                        yield _behind_mark(stream)
        except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
            raise ProfileError(
                self.path, f"its compression is damaged ({error})", "a whole compressed file"
            ) from error
        except OSError as error:
            raise ProfileError(self.path, error.strerror or str(error), "a readable profile") from error

    @contextmanager
    def local(self) -> Iterator[Path]:
        """An unpacked file on disk: the file itself, or a temporary copy where it is compressed."""
        with self.path.open("rb") as raw:
            packed = raw.read(6).startswith(tuple(PACKED))
        if not packed:
            yield self.path
            return
        with tempfile.TemporaryDirectory() as folder:
            unpacked = Path(folder) / self.path.stem
            with self.open() as stream, unpacked.open("wb") as out:
                shutil.copyfileobj(stream, out, 1 << 20)
            yield unpacked


def _behind_mark(stream: IO[bytes]) -> IO[bytes]:
    if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        stream.seek(0)
    return stream
