"""What the system tells a program in a terminal: to end, or that the terminal has gone."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from types import FrameType

from textual.app import App

PATIENCE_S = 3.0
"""Time to end in good order. Drawing waits for a terminal, and for one that has gone it would wait for ever."""


def end_when_told(app: App[None]) -> None:
    """Ends ``app`` in good order, the terminal as it was, when it is terminated or its terminal closes; in any case
    soon. Its exit code is then 128 and the signal's number, as shells count."""
    loop = asyncio.get_running_loop()

    def told(number: int, _frame: FrameType | None) -> None:
        last = threading.Timer(PATIENCE_S, os._exit, (128 + number,))
        last.daemon = True
        last.start()
        loop.call_soon_threadsafe(app.exit, None, 128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # The second is not on Windows; and only the main thread may ask for signals.
        if number is not None:
            with contextlib.suppress(ValueError):
                signal.signal(number, told)
