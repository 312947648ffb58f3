"""Standard input and output for pygls, with nothing that blocks on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import select
import stat
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
AT_ONCE: int = getattr(select, "PIPE_BUF", 0)
"""Bytes that a pipe that takes something takes without blocking, and a socket all the more (POSIX)."""


def reader_of(descriptor: int) -> asyncio.StreamReader:
    """What comes in on a descriptor, read by the loop when there is something, or by a thread where the loop cannot
    wait for such a descriptor. pygls' reader hands each header line and each body over to a pool of threads and back,
    which takes longer than most answers. To be called on the event loop."""
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader(LONGEST_LINE, loop)

    def take() -> None:
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            log.info("reading from the client ended: %s", error)
            data = b""
        if data:
            stream.feed_data(data)
        else:
            loop.remove_reader(descriptor)
            stream.feed_eof()

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            try:
                while data := os.read(descriptor, CHUNK):
                    loop.call_soon_threadsafe(stream.feed_data, data)
            except OSError as error:
                log.info("reading from the client ended: %s", error)
            loop.call_soon_threadsafe(stream.feed_eof)

    if _is_stream(descriptor):
        loop.add_reader(descriptor, take)
    else:
        threading.Thread(target=read, name="client-input", daemon=True).start()
    return stream


def _is_stream(descriptor: int) -> bool:
    """Whether a descriptor is a pipe or socket that tells when it can be read or written."""
    mode = os.fstat(descriptor).st_mode
    return AT_ONCE > 0 and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class Writer:
    """Writes to a descriptor, in order: at once what it takes without blocking, the rest in a thread of its own. So
    a client that stops reading stalls nothing, and a short message costs no change of threads. ``lost``
    is called on the event loop, once, when the client is gone or has left more than MOST_UNREAD bytes unread; what is
    written after that is dropped."""

    def __init__(self, descriptor: int, lost: Callable[[], object]) -> None:
        self._descriptor = descriptor
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._given = self._taken = 0
        self._gone = False
        self._at_once = AT_ONCE if _is_stream(descriptor) else 0
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="client-output", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Have ``data`` written after what was given before."""
        if self._gone:
            return
        idle = self._given == self._taken
        self._given += len(data)
        if idle and len(data) <= self._at_once and self._room():
            data = self._write_now(data)
            if not data:
                return
        if self._given - self._taken > MOST_UNREAD:
            self._lose(f"it has left {MOST_UNREAD >> 20} MiB unread")
        else:
            self._waiting.put(data)

    def close(self) -> None:
        """Give the client a moment to take what is left."""
        self._waiting.put(None)
        self._thread.join(LAST_SECONDS)

    def _write_now(self, data: bytes) -> bytes:
        """What is left of ``data``."""
        try:
            written = os.write(self._descriptor, data)
        except BlockingIOError:
            written = 0
        except OSError as error:
            self._loop.call_soon(self._lose, str(error))
            return b""
        self._taken += written
        return data[written:]

    def _room(self) -> bool:
        """Whether the descriptor takes something now."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        return any(event & select.POLLOUT for _, event in poll.poll(0))

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
