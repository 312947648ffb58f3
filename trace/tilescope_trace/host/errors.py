"""How a worker process can end when it should not."""

from __future__ import annotations

import re
from typing import Literal

EndKind = Literal["timeout", "memory", "crash", "exit", "start", "protocol"]

_FRAME = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)
"""A line of faulthandler's stack, innermost first."""


class WorkerEnded(Exception):  # noqa: N818 - an event, often the user's wish
    """A worker ended (or had to be ended) before its job did. ``detail`` completes "the compiling process ...",
    ``output`` is the tail of what it printed. The next job gets a fresh process."""

    def __init__(self, kind: EndKind, detail: str, output: str = "") -> None:
        super().__init__(detail)
        self.kind: EndKind = kind
        self.detail = detail
        self.output = output

    def line_in(self, path: str) -> int | None:
        """The innermost line of ``path`` on the stack that the process printed as it ended, None if there is none."""
        return next((int(line) for file, line in _FRAME.findall(self.output) if file == path), None)
