"""Asking the client to fetch something again, at most once at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

ANSWER_SECONDS = 5.0
"""How long a client may take to answer before it is asked again."""


class Refresh:
    """``send`` sends one request and gives its answer to wait for; asked again before the client has answered, one
    more follows its answer."""

    def __init__(self, send: Callable[[], Awaitable[object]]) -> None:
        self._send = send
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def ask(self) -> None:
        """Have the client fetch again what it shows. The request is on its way on return: somebody waits for it."""
        self._again = self._task is not None and not self._task.done()
        if not self._again and (answer := self._sent()) is not None:
            self._task = asyncio.create_task(self._follow(answer))

    def _sent(self) -> Awaitable[object] | None:
        try:
            return self._send()
        except Exception as error:  # noqa: BLE001 - the client may be gone
            log.info("the client could not be told to refresh: %s", error)
            return None

    async def _follow(self, answer: Awaitable[object] | None) -> None:
        while answer is not None:
            try:
                await asyncio.wait_for(asyncio.ensure_future(answer), ANSWER_SECONDS)
            except Exception as error:  # noqa: BLE001 - a client that cannot has promised too much
                log.info("the client did not refresh: %s", error)
            answer = self._sent() if self._again else None
            self._again = False
