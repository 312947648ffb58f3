"""Captured files on disk: found from a kernel's file, read, written whole."""

from __future__ import annotations

import functools
from pathlib import Path

from tilescope_trace.source.imports import workspace_of
from tilescope_trace.whole import write_whole

from .format import CapturedFileError, Kernels, parse, render
from .model import FILE, CapturedFile


def file_for(path: str) -> Path | None:
    """The nearest captured file above a kernel's file, up to the top folder of its project."""
    top = Path(workspace_of(path))
    for folder in Path(path).parents:
        if (folder / FILE).is_file():
            return folder / FILE
        if folder == top:
            break
    return None


def read(path: Path) -> CapturedFile:
    """A captured file. Raises CapturedFileError."""
    try:
        status = path.stat()
        return _read(str(path), status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise CapturedFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise CapturedFileError(f"{path}: not UTF-8: delete it and capture again") from None


@functools.lru_cache(maxsize=8)
def _read(path: str, _modified: int, _size: int) -> CapturedFile:
    return parse(Path(path).read_text(encoding="utf-8-sig"), path)


def write(path: Path, kernels: Kernels) -> None:
    """Write a captured file whole or not at all. Raises OSError."""
    write_whole(path, render(kernels).encode())
