"""The matrix operation that TileLang is at: they infer and lower in Python, where a failure leaves them open."""

from __future__ import annotations

import functools
import importlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

logger = logging.getLogger(__name__)

_CLASSES = (("tilelang.tileop.gemm", "Gemm"), ("tilelang.tileop.gemm_sp", "GemmSP"))
_METHODS = ("infer_layout", "lower")


class CurrentOperation:
    """``names`` are the buffers A, B and C of the operation that was entered and not left, empty outside of any."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()


@contextmanager
def current_operation() -> Iterator[CurrentOperation]:
    """Follow TileLang's matrix operations; nothing is followed where this TileLang has none of the known classes."""
    current = CurrentOperation()
    changed: list[tuple[Any, str, Any]] = []
    for owner in _owners():
        for name in _METHODS:
            original = owner.__dict__.get(name)
            if callable(original):
                changed.append((owner, name, original))
                setattr(owner, name, _followed(original, current))
    try:
        yield current
    finally:
        for owner, name, original in reversed(changed):
            setattr(owner, name, original)


def _owners() -> Iterator[Any]:
    for module, name in _CLASSES:
        with suppress(ImportError, AttributeError):
            yield getattr(importlib.import_module(module), name)


def _followed(original: Callable[..., Any], current: CurrentOperation) -> Callable[..., Any]:
    @functools.wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        current.names = _names(self)
        result = original(self, *args, **kwargs)
        current.names = ()
        return result

    return method


def _names(operation: Any) -> tuple[str, ...]:
    try:
        return tuple(str(getattr(operation, role).name) for role in "ABC")
    except Exception:
        logger.warning("operands of %s not known", type(operation).__name__, exc_info=True)
        return ()
