"""What the system tells a program in a terminal: to end, or that the terminal has gone."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from textual.app import App


def end_when_told(app: App[None]) -> None:
    """Ends ``app`` in good order, the terminal as it was, when it is terminated or its terminal closes. Its exit code
    is then 128 and the signal's number, as shells count."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Not on Windows, and not where somebody else's thread runs the loop.
        if number is not None:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, app.exit, None, 128 + number)
