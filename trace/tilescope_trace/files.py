"""Reads kernel files, and says what is wrong with those that are none."""

from __future__ import annotations

import io
import stat
import tokenize
from pathlib import Path

from .errors import UsageError
from .model import Snapshot
from .notebook_files import is_notebook, read_cells

LARGEST = 16 << 20
"""No hand-written Python file comes near this many bytes."""


def read_snapshot(path: Path) -> Snapshot:
    """The text of the Python file ``path``. Raises UsageError when it cannot be read or is no Python source."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UsageError(f"{path} is a folder; name a Python file in it")
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is no kernel file: it is a device, pipe or socket")
        if status.st_size > LARGEST:
            raise UsageError(f"{path} is no kernel file: it has more than {LARGEST >> 20} MiB")
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    return snapshot_of(str(path.resolve()), data, path)


def snapshot_of(path: str, data: bytes, name: Path) -> Snapshot:
    """The snapshot of a file called ``name`` that holds ``data``. Raises UsageError where that is no Python."""
    if is_notebook(name):
        cells = read_cells(data, name)
        return Snapshot(path, cells.joined.text, cells=cells)
    return Snapshot(path, decoded(data, name))


def decoded(data: bytes, path: Path) -> str:
    """The text of Python source, in the encoding that it declares. Raises UsageError where it is none."""
    if b"\0" in data:
        raise UsageError(f"{path} is not a Python file: it holds binary data")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        with io.TextIOWrapper(io.BytesIO(data), encoding) as stream:
            return stream.read()
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else f"its text is not {getattr(error, 'encoding', '?')}"
        raise UsageError(f"{path} is not a Python file: {reason}") from None
