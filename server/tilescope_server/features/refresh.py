"""Asking the client to fetch something again, at most once at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

ANSWER_SECONDS = 5.0
"""How long a client may take to answer before it is asked again."""


class Refresh:
    """``ask`` sends one request; asked again before the client has answered, one more follows its answer."""

    def __init__(self, send: Callable[[], Awaitable[object]]) -> None:
        self._send = send
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def ask(self) -> None:
        """Have the client fetch again what it shows."""
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            try:
                await asyncio.wait_for(asyncio.ensure_future(self._send()), ANSWER_SECONDS)
            except Exception as error:  # noqa: BLE001 - a client that cannot has promised too much
                log.info("the client did not refresh: %s", error)
