"""Whether there is a terminal to draw on."""

from __future__ import annotations

import os
import sys

from tilescope_trace.errors import UsageError


def require_terminal(instead: str) -> None:
    """Raises UsageError, which tells what serves ``instead``, where a browser cannot be drawn or typed into. In a web
    page no terminal is needed."""
    if "TEXTUAL_DRIVER" in os.environ:
        return
    # Keys come from standard input, and it is standard error that is drawn on.
    for name, stream in (("input", sys.stdin), ("output", sys.stdout), ("error", sys.stderr)):
        if not stream.isatty():
            raise UsageError(f"The browser needs a terminal, and standard {name} is none. {instead}")
    if os.environ.get("TERM") == "dumb":
        raise UsageError(f"The browser needs a terminal that can place the cursor, and TERM is dumb. {instead}")
