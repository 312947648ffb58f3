"""When garbage is looked for: in breaks, not while somebody waits.

Nearly all that an edit makes goes without the collector, which only finds cycles; but it looks through everything
that a long file is made of, for tens of milliseconds, and by itself does so while answers are due.
"""

from __future__ import annotations

import asyncio
import gc

YOUNG_OBJECTS = 100_000
"""How many new objects there may be before Python looks for garbage by itself; without a break it is soon enough."""
BREAK_SECONDS = 1.0
"""After that long without a message there is time to look."""


class Breaks:
    """Looks for garbage when no message has come for a while."""

    def __init__(self) -> None:
        self._due: asyncio.TimerHandle | None = None

    def message(self) -> None:
        """A message has come: not now."""
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(BREAK_SECONDS, gc.collect)


def seldom() -> None:
    """Leave looking for garbage to breaks, as far as that goes."""
    gc.set_threshold(YOUNG_OBJECTS)


def keep_modules() -> None:
    """Never look through what has been imported: it stays."""
    gc.freeze()
