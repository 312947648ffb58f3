"""What a call of the tile language was given that the front end refused."""

from __future__ import annotations

import inspect
import logging
import types
from typing import Any

from tilescope_worker.facts.ir import extent
from tilescope_worker.tracebacks import is_users, links
from tilescope_worker.wire.messages import Operand

from .candidates import operand

logger = logging.getLogger(__name__)


def refused_call(error: BaseException) -> tuple[str | None, tuple[Operand, ...]]:
    """(name of the function of TileLang's that the user's code called, its buffer arguments); (None, ()) where the
    error came from no such call."""
    frame = _callee(error)
    if frame is None:
        return None, ()
    try:
        arguments = inspect.getargvalues(frame)
        given = [(name, arguments.locals.get(name)) for name in arguments.args]
        return frame.f_code.co_name, tuple(found for name, value in given if (found := _operand(name, value)))
    except Exception:
        logger.warning("arguments of %s not known", frame.f_code.co_name, exc_info=True)
        return frame.f_code.co_name, ()


def _callee(error: BaseException) -> types.FrameType | None:
    chain = [link.tb_frame for link in links(error)]
    users = [at for at, frame in enumerate(chain) if is_users(frame.f_code.co_filename)]
    inner = chain[users[-1] + 1 :] if users else []
    return next((frame for frame in inner if "tilelang" in frame.f_code.co_filename), None)


def _operand(role: str, value: Any) -> Operand | None:
    buffer = getattr(value, "buffer", value)
    if not all(hasattr(buffer, name) for name in ("name", "shape", "dtype", "scope", "data")):
        return None
    region = getattr(value, "region", None)
    extents = tuple(extent(axis.extent) for axis in region) if region is not None else ()
    return operand(role, buffer, extents)
