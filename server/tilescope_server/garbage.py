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
OVERDUE_SECONDS = 20.0
SHORT_BREAK_SECONDS = 0.03
"""Who types on and on makes no break that long: after OVERDUE_SECONDS the time between two keys has to do."""


class Breaks:
    """Looks for garbage when no message has come for a while."""

    def __init__(self) -> None:
        self._due: asyncio.TimerHandle | None = None
        self._last = 0.0

    def message(self) -> None:
        """A message has come: not now."""
        if self._due is not None:
            self._due.cancel()
        loop = asyncio.get_running_loop()
        overdue = loop.time() - self._last > OVERDUE_SECONDS
        self._due = loop.call_later(SHORT_BREAK_SECONDS if overdue else BREAK_SECONDS, self._look)

    def _look(self) -> None:
        gc.collect()
        self._last = asyncio.get_running_loop().time()


def seldom() -> None:
    """Leave looking for garbage to breaks, as far as that goes."""
    gc.set_threshold(YOUNG_OBJECTS)


def keep_modules() -> None:
    """Never look through what has been imported: it stays."""
    gc.freeze()
