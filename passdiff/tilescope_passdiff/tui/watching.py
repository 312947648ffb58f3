"""Files that a recording comes from, and recording it again when they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

LOOK_S = 0.5
"""Time between two looks at the files."""

Stamps = Mapping[Path, tuple[int, int] | None]


@dataclass(frozen=True)
class Watched:
    """``record`` makes the recording again and returns its path; it runs in a background thread and raises UsageError
    where that fails. Called again meanwhile, by another thread, it gives up and returns None. ``file`` is the
    kernel's; with ``automatic`` it is recorded again whenever it, or another source of the recording, is saved, else
    only when the reader asks."""

    file: Path
    record: Callable[[], Path | None]
    automatic: bool = False


def stamps(paths: Iterable[Path]) -> Stamps:
    """Time and size of each file, None of one that is not there."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
