"""Notices changes of files by their modification times, where the client does not tell of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection

from tilescope_trace.stamp import stamp

log = logging.getLogger(__name__)

SECONDS = 1.0
"""Between two looks."""


async def poll(files: Callable[[], Collection[str]], changed: Callable[[list[str]], None]) -> None:
    """Look at ``files()`` until cancelled and tell which of them differ from the last look; a file that is looked at
    for the first time is not told."""
    known: dict[str, tuple[int, int]] = {}
    while True:
        watched = files()
        now = await asyncio.to_thread(lambda paths: {path: stamp(path) for path in paths}, tuple(watched))
        different = sorted(path for path, state in now.items() if known.get(path, state) != state)
        known = now
        if different:
            try:
                changed(different)
            except Exception:
                log.exception("changed files could not be followed")
        await asyncio.sleep(SECONDS)
