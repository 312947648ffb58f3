"""Paths as a person wants to read them."""

from __future__ import annotations

import shlex
from pathlib import Path


def shown(path: str) -> str:
    """Relative to the working directory where ``path`` lies inside it, else as it is."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def typed(path: Path) -> str:
    """As it is typed in a shell, relative to the working directory where it lies inside it."""
    return shlex.quote(shown(str(path)))
