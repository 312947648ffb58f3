"""Waits until files that findings depend on have changed.

Modification times are compared every now and then: that works on every system and on network drives, needs no limit
raised, and costs a hundredth of a second for a thousand files.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tilescope_trace.captured.model import FILE as CAPTURED
from tilescope_trace.config.model import OWN, PROJECT
from tilescope_trace.source.imports import workspace_of

from .collect import enters
from .model import Source

Stamps = dict[str, tuple[int, int]]
"""Modification time (ns) and size in bytes by path."""

PAUSE_S = 0.3
SETTLED_S = 0.1
"""Editors write a file in several steps."""
_SHARE = 0.05
"""Of the time, how much looking may take where there are many files."""
_TELLING = frozenset({OWN, PROJECT, CAPTURED})


def folders_of(paths: Iterable[Path], sources: Sequence[Source]) -> frozenset[str]:
    """The folders to look at, with what is below them: those named, and the workspaces of the sources."""
    named = [str(path if path.is_dir() else path.parent) for path in paths]
    return frozenset(map(os.path.realpath, [*named, *(workspace_of(source.path) for source in sources)]))


def stamps(folders: Iterable[str], files: Iterable[str], excluded: Callable[[str], bool]) -> Stamps:
    """The Python files, configurations and captures below ``folders``, hidden and ``excluded`` folders left out, and
    ``files``."""
    found: Stamps = {}
    for folder in folders:
        for top, below, names in os.walk(folder):
            below[:] = [name for name in below if enters(Path(top, name), excluded)]
            for name in names:
                if name.endswith(".py") or name in _TELLING:
                    _note(found, os.path.join(top, name))  # noqa: PTH118 - thousands of files
    for file in files:
        _note(found, file)
    return found


async def changed(look: Callable[[], Stamps], before: Stamps) -> list[str]:
    """Wait until what ``look`` gives differs from ``before`` and stays so for a moment; the paths that changed, came
    or went, sorted."""
    while True:
        began = time.monotonic()
        now = await asyncio.to_thread(look)
        took = time.monotonic() - began
        if now != before:
            await asyncio.sleep(SETTLED_S)
            if now == await asyncio.to_thread(look):
                return sorted(path for path in now.keys() | before.keys() if now.get(path) != before.get(path))
        else:
            await asyncio.sleep(max(PAUSE_S, took / _SHARE))


def _note(found: Stamps, path: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116
        found[path] = status.st_mtime_ns, status.st_size
