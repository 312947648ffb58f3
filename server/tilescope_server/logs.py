"""The server's log file, one a process, in the user's log folder."""

from __future__ import annotations

import functools
import logging
import os
from pathlib import Path

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LARGEST_BYTES = 1 << 20
BACKUPS = 2
KEPT = 10
"""Log files of other processes, the newest, that are left when a new one is begun."""
LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}


@functools.cache
def log_path() -> Path:
    """The file of this process; it exists once there was something to tell."""
    from platformdirs import user_log_path  # slow to import: not at every start

    return user_log_path("tilescope", appauthor=False) / f"language-server-{os.getpid()}.log"


def file_handler() -> logging.Handler | None:
    """Writes to the file of this process; None where it cannot be."""
    from logging.handlers import RotatingFileHandler  # slow to import: not at every start

    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _prune(path.parent)
    except OSError:
        return None
    handler = RotatingFileHandler(path, maxBytes=LARGEST_BYTES, backupCount=BACKUPS, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(FORMAT))
    return handler


def _prune(folder: Path) -> None:
    files = sorted(folder.glob("language-server-*.log*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in files[KEPT:]:
        old.unlink(missing_ok=True)
