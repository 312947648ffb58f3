"""What a client does wrong costs one line in the log: tracebacks are for our own bugs."""

from __future__ import annotations

import json
import logging

from cattrs import transform_error
from pygls.exceptions import JsonRpcException, JsonRpcInternalError

UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What reading a message raises that is no JSON, or nested too deep."""
ROUTINE = "Cancel notification for unknown message"
"""A request that was answered while it was cancelled."""
TOLD = "Unable to deserialize message"
"""The protocol library's traceback of what ``reason`` says in a line."""
LIBRARY = "pygls.protocol.json_rpc"


def is_clients(error: BaseException | None) -> bool:
    """Whether an error is about what the client sent."""
    if isinstance(error, JsonRpcException):
        return not isinstance(error, JsonRpcInternalError)
    return isinstance(error, UNREADABLE)


def reason(error: BaseException) -> str:
    """What is wrong with the parameters of a message, and where."""
    found = "; ".join(transform_error(error, path="message")) if isinstance(error, Exception) else str(error)
    return " ".join(found.split())[:300]


def brief(record: logging.LogRecord) -> bool:
    """A filter of loggers: no traceback of a client's mistake, and none of it twice."""
    if str(record.msg).startswith((TOLD, ROUTINE)):
        return False
    error = record.exc_info[1] if record.exc_info else None
    if is_clients(error):
        record.msg, record.args = f"{record.getMessage()}: {error or type(error).__name__}", ()
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return True


def tell_briefly(*loggers: logging.Logger) -> None:
    """Have the protocol library, and ``loggers``, tell of clients' mistakes in a line."""
    for logger in (logging.getLogger(LIBRARY), *loggers):
        logger.addFilter(brief)
