"""Work-done progress of requests that take long: shown where the client shows it, cancelled from there."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from tilescope_server.app import Server

QUIET_SECONDS = 0.25
"""What is over sooner is not worth a progress bar."""
REPORT_SECONDS = 0.1
"""Shortest time between two reports: a compiler runs hundreds of passes a second."""

_numbers = itertools.count(1)


@asynccontextmanager
async def shown(
    server: Server, title: str, token: types.ProgressToken | None
) -> AsyncGenerator[Callable[[str], None], None]:
    """Shows ``title`` as long as the work inside takes, and whatever it tells the given function; cancels the work
    where the user asks for it. ``token`` is the one that the client gave with the request, if any."""
    work = asyncio.current_task()
    assert work is not None
    bar = _Bar(server, title, token, work)
    showing = asyncio.create_task(bar.show())
    try:
        yield bar.tell
    finally:
        showing.cancel()
        bar.end()


class _Bar:
    def __init__(
        self, server: Server, title: str, token: types.ProgressToken | None, work: asyncio.Task[object]
    ) -> None:
        self._server = server
        self._title = title
        self._given = token
        self._work = work
        self._token: types.ProgressToken | None = None
        self._message: str | None = None
        self._told = 0.0

    async def show(self) -> None:
        """Begin once the work has taken a while."""
        await asyncio.sleep(QUIET_SECONDS)
        progress = self._server.work_done_progress
        token = self._given
        if token is None:
            window = self._server.client_capabilities.window
            if not (window and window.work_done_progress):
                return
            token = f"tilescope-{next(_numbers)}"
            try:
                await progress.create_async(token)
            except Exception:  # noqa: BLE001 - a client that refuses a progress bar goes without
                return
        progress.begin(token, types.WorkDoneProgressBegin(self._title, cancellable=True, message=self._message))
        self._token = token
        progress.tokens[token].add_done_callback(self._cancelled)

    def tell(self, message: str) -> None:
        """Show a message, unless another has just been shown."""
        self._message = message
        now = time.monotonic()
        if self._token is not None and now - self._told >= REPORT_SECONDS:
            self._told = now
            self._server.work_done_progress.report(self._token, types.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """Take the bar away."""
        token, self._token = self._token, None
        if token is not None:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(token, None)

    def _cancelled(self, _: object) -> None:
        if self._token is not None:
            self._work.cancel()
