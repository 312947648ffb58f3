"""Standard input and output for pygls, with nothing that blocks on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

LONGEST_LINE = 1 << 20
"""Bytes of a header line at most."""
CHUNK = 1 << 16
MOST_UNREAD = 256 << 20
"""Bytes that a client may leave unread before it is taken for gone."""
LAST_SECONDS = 1.0
"""How long a client may take for what is left when the session is over."""


def reader_of(descriptor: int) -> asyncio.StreamReader:
    """What comes in on a descriptor, read by a thread of its own. pygls' reader hands each header line and each body
    over to a pool of threads and back, which takes longer than most answers. To be called on the event loop."""
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader(LONGEST_LINE, loop)

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            try:
                while data := os.read(descriptor, CHUNK):
                    loop.call_soon_threadsafe(stream.feed_data, data)
            except OSError as error:
                log.info("reading from the client ended: %s", error)
            loop.call_soon_threadsafe(stream.feed_eof)

    threading.Thread(target=read, name="client-input", daemon=True).start()
    return stream


class Writer:
    """Writes to a descriptor in a thread of its own, in order: a client that stops reading stalls nothing. ``lost``
    is called on the event loop, once, when the client is gone or has left more than MOST_UNREAD bytes unread; what is
    written after that is dropped."""

    def __init__(self, descriptor: int, lost: Callable[[], object]) -> None:
        self._descriptor = descriptor
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._given = self._taken = 0
        self._gone = False
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="client-output", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Have ``data`` written after what was given before."""
        if self._gone:
            return
        self._given += len(data)
        if self._given - self._taken > MOST_UNREAD:
            self._lose(f"it has left {MOST_UNREAD >> 20} MiB unread")
        else:
            self._waiting.put(data)

    def close(self) -> None:
        """Give the client a moment to take what is left."""
        self._waiting.put(None)
        self._thread.join(LAST_SECONDS)

    def _work(self) -> None:
        while (data := self._waiting.get()) is not None:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError as error:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._lose, str(error))
                return
            self._taken += len(data)

    def _lose(self, why: str) -> None:
        if not self._gone:
            self._gone = True
            log.warning("the client is gone: %s", why)
            self._lost()
