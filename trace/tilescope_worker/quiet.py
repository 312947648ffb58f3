"""What TileLang logs beside an exception that says it all."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager

_BUILDER = "tilelang.language.eager.builder"
_REWRITTEN_SOURCE = "Failed to build prim_func"


@contextmanager
def without_rewritten_source() -> Iterator[None]:
    """Keep the source that the front end has rewritten, some sixty lines for each failing kernel, out of the log."""
    try:
        logger = importlib.import_module(_BUILDER).logger
    except (ImportError, AttributeError):
        yield
        return
    logger.addFilter(_is_wanted)
    try:
        yield
    finally:
        logger.removeFilter(_is_wanted)


def _is_wanted(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_REWRITTEN_SOURCE)
