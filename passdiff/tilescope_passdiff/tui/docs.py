"""The part of docs/view.md that comes from the keys: ``python -m tilescope_passdiff.tui.docs docs/view.md``."""

from __future__ import annotations

import sys
from pathlib import Path

from .keyboard import help_entries
from .keys import SCOPES

MARK = "<!-- keys: made by `make docs` -->\n"


def with_keys(page: str) -> str:
    """``page`` with everything behind the mark made anew."""
    head, mark, _ = page.partition(MARK)
    parts = [f"{head}{mark}"]
    for scope, title in SCOPES.items():
        entries = "".join(f"| {_code(entry.pressed)} | {entry.text} |\n" for entry in help_entries(scope))
        parts.append(f"\n### {title}\n\n| key | does |\n|---|---|\n{entries}")
    return "".join(parts)


def _code(pressed: str) -> str:
    return " ".join(f"`{key}`" for key in pressed.split())


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_keys(path.read_text(encoding="utf-8")), encoding="utf-8")
