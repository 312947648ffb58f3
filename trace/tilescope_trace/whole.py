"""Writes files whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

_NOT_BESIDE = (errno.EACCES, errno.EPERM, errno.EROFS)


def write_whole(path: Path, data: bytes) -> None:
    """Put ``data`` in the place of a file: readers, and a full disk or a kill at any moment, find the old file or the
    new one.

    Links are followed; mode and owner stay. What is no regular file is written where it is, and so is a file of
    somebody else and one in a folder that takes no new ones. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    try:
        before = target.stat()
    except FileNotFoundError:
        before = None
    if before is not None and stat.S_ISREG(before.st_mode) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    name = _beside(target, before, data)
    if name is None:
        target.write_bytes(data)
        return
    try:
        Path(name).replace(target)
    except BaseException:
        _remove(name)
        raise


def _beside(target: Path, before: os.stat_result | None, data: bytes) -> str | None:
    """A new file of the same folder, mode and owner that holds the data; None where there can be none."""
    if before is not None and not stat.S_ISREG(before.st_mode):
        return None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tilescope-", suffix=".part")
    except OSError as error:
        if error.errno in _NOT_BESIDE:
            return None
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        alike = _made_like(name, before)
    except BaseException:
        _remove(name)
        raise
    if not alike:
        _remove(name)
        return None
    return name


def _made_like(name: str, before: os.stat_result | None) -> bool:
    """Give the file the owner and mode of the one before, or those of any new file; False where it may not be."""
    if before is None:
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        return True
    now = Path(name).stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(name, before.st_uid, before.st_gid)
        except OSError:
            return False
    Path(name).chmod(stat.S_IMODE(before.st_mode))
    return True


def _remove(name: str) -> None:
    with contextlib.suppress(OSError):
        Path(name).unlink()
