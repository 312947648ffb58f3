"""Paths as a person wants to read them."""

from __future__ import annotations

import shlex
import shutil
import sys
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


def own_command() -> str:
    """What to type for ``tilescope`` here: its name where that is this one on the PATH, else where it lies."""
    ours, found = Path(sys.argv[0]), shutil.which("tilescope")
    here = ours.is_file() and ours.stem == "tilescope"
    if not here or (found is not None and Path(found).resolve() == ours.resolve()):
        return "tilescope"
    return typed(ours)
