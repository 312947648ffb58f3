"""Progress on stderr, for a person at a terminal; silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .output import console


@contextmanager
def working(message: str) -> Iterator[Callable[[str], None]]:
    """A spinner with ``message`` while the block runs; call the value to change the message."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with console(sys.stderr).status(message) as status:
        yield lambda text: status.update(text)
