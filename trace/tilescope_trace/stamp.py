"""Whether a file has changed, by what the file system says of it."""

from __future__ import annotations

from pathlib import Path


def stamp(path: str) -> tuple[int, int]:
    """(modification time in ns, size) of a file, (0, 0) for one that is gone."""
    try:
        status = Path(path).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
