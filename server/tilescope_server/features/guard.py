"""The guard around every handler: a bug is logged, the client gets an empty answer, the server goes on."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)


def guarded(method: str, handler: Callable[[Any], Any], empty: Any) -> Callable[[Any], Any]:
    """``handler`` (synchronous or a coroutine function) answering ``empty`` where it raises. Cancellation passes."""
    if asyncio.iscoroutinefunction(handler):

        @functools.wraps(handler)
        async def answer_later(params: Any) -> Any:
            try:
                return await handler(params)
            except Exception:
                log.exception("%s failed", method)
                return empty

        return answer_later

    @functools.wraps(handler)
    def answer(params: Any) -> Any:
        try:
            return handler(params)
        except Exception:
            log.exception("%s failed", method)
            return empty

    return answer
