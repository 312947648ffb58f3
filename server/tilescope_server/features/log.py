"""window/logMessage: what the server tells of itself goes to the client's output channel and to a file, never into a
window of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server.logs import LEVELS, file_handler

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.settings import Log

_TYPES = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
    (logging.NOTSET, types.MessageType.Log),
)
OURS = "tilescope"
"""What the names of our own loggers begin with; of others, warnings are told only: the protocol library logs every
message that it sends, log messages among them."""


def configure(server: Server, log: Log) -> None:
    """Log as the settings say, instead of as before."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    logging.raiseExceptions = False  # a full disk costs log lines and nothing else
    level = LEVELS[log.level]
    handlers: list[logging.Handler | None] = [_Client(server, asyncio.get_running_loop())]
    handlers.append(file_handler() if log.file else None)
    for added in handlers:
        if added is not None:
            added.addFilter(lambda record: record.levelno >= max(level, _least(record)))
            root.addHandler(added)
    root.setLevel(logging.WARNING)
    for name in ("tilescope_server", "tilescope_trace"):
        logging.getLogger(name).setLevel(level)


def _least(record: logging.LogRecord) -> int:
    return logging.NOTSET if record.name.startswith(OURS) else logging.WARNING


class _Client(logging.Handler):
    """Sends records to the client, from whatever thread they come."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._server = server
        self._loop = loop
        self._sending = False
        self.setFormatter(logging.Formatter("tilescope: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if self._sending:
            return  # told by sending a record that could not be sent, and so on without end
        kind = next(kind for least, kind in _TYPES if record.levelno >= least)
        with contextlib.suppress(Exception):  # a client that is gone, a loop that has ended, a record that is wrong
            params = types.LogMessageParams(kind, self.format(record))
            self._loop.call_soon_threadsafe(self._send, params)

    def _send(self, params: types.LogMessageParams) -> None:
        self._sending = True
        try:
            with contextlib.suppress(Exception):
                self._server.window_log_message(params)
        finally:
            self._sending = False
