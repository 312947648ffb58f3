"""Keeps the traceback of an unexpected error where it can be found and reported."""

from __future__ import annotations

import datetime
import sys
import traceback

import platformdirs

LIMIT = 1 << 20
"""The log starts anew beyond this many bytes."""


def keep(error: BaseException) -> str:
    """Append the traceback to the log; a sentence that says where it is."""
    path = platformdirs.user_log_path("tilescope", appauthor=False) / "tilescope.log"
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    text = f"{now} {' '.join(sys.argv[1:])}\n{''.join(traceback.format_exception(error))}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        full = path.exists() and path.stat().st_size > LIMIT
        with path.open("w" if full else "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(text)
    except OSError:
        return "Run it again with TILESCOPE_DEBUG=1 to see where, and please report it."
    return f"This is a bug in tilescope; the details are in {path}. Please report it."
