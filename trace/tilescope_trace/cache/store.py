"""Facts on disk under content hashes: written whole or not at all, shared by processes, bounded in size."""

from __future__ import annotations

import contextlib
import os
import tempfile
import zlib
from pathlib import Path

import msgspec
from platformdirs import user_cache_path

from tilescope_trace.model import FileFacts

DEFAULT_BYTES = 512 << 20
_LEVEL = 3
_WORKSPACE = "\0workspace"
"""Stands for the workspace's folder, which is another one on the next machine."""
_SUFFIX = ".facts"
_LARGEST = 256 << 20
"""No file's facts come near this many bytes."""


def default_folder() -> Path:
    """Where results are kept unless the caller names a folder."""
    return user_cache_path("tilescope") / "results"


class ResultCache:
    """A folder of results. Nothing here raises for what the disk does: a result that cannot be read is computed
    again, one that cannot be written is not kept."""

    def __init__(self, folder: Path, most_bytes: int = DEFAULT_BYTES) -> None:
        self.folder = folder
        self.most_bytes = most_bytes

    def get(self, key: str, workspace: str) -> FileFacts | None:
        """The result kept under ``key``, its paths in ``workspace``; reading it makes it one of the last to be
        pruned."""
        path = self._path(key)
        try:
            facts = _decoded(path.read_bytes(), workspace)
        except OSError:
            return None
        except ValueError:
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return facts

    def put(self, key: str, facts: FileFacts, workspace: str) -> None:
        """Keep a result, with the paths in ``workspace`` made relative to it; readers see the old one or the new one,
        never a part. One that tells of lone surrogates, which JSON has not, is not kept."""
        path = self._path(key)
        try:
            data = zlib.compress(_encoded(facts, workspace), _LEVEL)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except (OSError, UnicodeEncodeError):
            return

    def prune(self) -> int:
        """Remove the results used longest ago until the rest fits; the number of those removed."""
        found = []
        with contextlib.suppress(OSError):  # a folder that cannot be looked at has nothing to remove
            for path in self.folder.glob(f"*/*{_SUFFIX}"):
                with contextlib.suppress(OSError):
                    status = path.stat()
                    found.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in found)
        removed = 0
        for _, size, path in sorted(found):
            if total <= self.most_bytes:
                break
            with contextlib.suppress(OSError):
                path.unlink()
                removed += 1
                total -= size
        return removed

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}{_SUFFIX}"


def _encoded(facts: FileFacts, workspace: str) -> bytes:
    return msgspec.json.encode(facts).replace(_inside(workspace), _inside(_WORKSPACE))


def _inside(text: str) -> bytes:
    """``text`` as it stands within a JSON string."""
    return msgspec.json.encode(text)[1:-1]


def _decoded(data: bytes, workspace: str) -> FileFacts:
    """Raises ValueError for anything but a whole result."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, _LARGEST)
        if not unpacker.eof:
            raise ValueError("the result is cut short")
        return msgspec.json.decode(text.replace(_inside(_WORKSPACE), _inside(workspace)), type=FileFacts)
    except (zlib.error, msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None
