"""Pages of the documentation that are made from the code: ``python -m MODULE FILE``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def write_page(page: Callable[[], str]) -> None:
    """Writes the page into the file named by the program's only argument, and exits: with 2 where none is named."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m MODULE FILE\n")
        sys.exit(2)
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
    sys.exit(0)
