"""What the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys

from tilescope.output import console

from .check import Check

LEAST_COLUMNS, LEAST_LINES = 80, 24


def check_terminal() -> Check:
    """Colour, Unicode and size of the terminal on stdout."""
    if not sys.stdout.isatty():
        return Check("terminal", "ok", "output goes to a file or pipe: plain text, no colour")
    out = console()
    size = shutil.get_terminal_size()
    colours = "no colour" if out.no_color else f"{out.color_system or 'no'} colour"
    detail = f"{os.environ.get('TERM', 'unknown')}, {size.columns} × {size.lines}, {colours}, {out.encoding}"
    if not out.encoding.lower().startswith("utf"):
        return Check(
            "terminal", "missing", detail, "×, → and ⟨⟩ print as question marks", "use a UTF-8 locale: LANG=C.UTF-8"
        )
    if size.columns < LEAST_COLUMNS or size.lines < LEAST_LINES:
        return Check(
            "terminal", "missing", detail, "panes of tilescope view are cramped", "enlarge the window to 80 × 24"
        )
    return Check("terminal", "ok", detail)
