"""How a worker process can end when it should not."""

from __future__ import annotations

from typing import Literal

EndKind = Literal["timeout", "memory", "crash", "exit", "start", "protocol"]


class WorkerEnded(Exception):  # noqa: N818 - an event, often the user's wish
    """A worker ended (or had to be ended) before its job did. ``detail`` is one sentence for the user, ``output``
    the tail of what it printed. The next job gets a fresh process."""

    def __init__(self, kind: EndKind, detail: str, output: str = "") -> None:
        super().__init__(detail)
        self.kind: EndKind = kind
        self.detail = detail
        self.output = output
