"""Modules of TileLang that other versions of it have under another name."""

from __future__ import annotations

import importlib.util
from functools import cache

_MOVED = {
    # Until 0.1.11 one module answered what each back end does for itself since.
    "tilelang.utils.target": (
        "tilelang.metal.target",
        "tilelang.rocm.target",
        "tilelang.cuda.target",
        "tilelang.backend.target",
    ),
}


@cache
def moved_modules() -> dict[str, tuple[str, ...]]:
    """What this TileLang does not have, with the modules it has instead, the one that decides last."""
    found = {}
    for old, new in _MOVED.items():
        instead = tuple(name for name in new if _exists(name))
        if instead and not _exists(old):
            found[old] = instead
    return found


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False
