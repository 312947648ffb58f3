"""Lines of TileLang's own macros, replaced by the user's when a kernel is elaborated."""

from __future__ import annotations

import logging
from typing import Any

from tilescope_worker.facts.ir import is_user_file

logger = logging.getLogger(__name__)


def keep_user_lines() -> None:
    """Make TileLang's builder give statements of its own macros the line of the user's call.

    Takes effect for every kernel elaborated afterwards in this process; calling it again changes nothing. Where the
    builder of this TileLang version has no span stamping, nothing is done.
    """
    try:
        from tilelang.language.eager import builder

        original = builder.Builder.set_fileline
    except (ImportError, AttributeError):
        logger.info("lines inside TileLang's own macros are not mended: this version has no set_fileline")
        return
    if getattr(original, "keeps_user_lines", False):
        return

    def set_fileline(self: Any, filename: str, lineno: int, name: str) -> None:
        original(self, filename, lineno, name)
        pending = getattr(self, "_span_pending", None)
        if pending is None or is_user_file(filename):
            return
        for caller_file, caller_line, _ in reversed(getattr(self, "macro_fileline_stack", [])):
            if caller_line > 0 and is_user_file(caller_file):
                self._span_pending = (*pending[:2], caller_file, caller_line)
                return

    set_fileline.keeps_user_lines = True  # type: ignore[attr-defined]
    builder.Builder.set_fileline = set_fileline
