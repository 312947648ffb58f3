"""What identifies the programs that make a result: the installed TileLang, and tilescope itself."""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from pathlib import Path

import tilescope_trace
import tilescope_worker
from tilescope_trace.interpreter import site_packages_of

_VARIABLES = "TILELANG_"
"""Environment variables that begin so change what the compiler does."""


def tilelang_identity(interpreter: str) -> str | None:
    """A hash of the TileLang that ``interpreter`` imports, from what its installer wrote; nothing is executed.

    None where that does not tell: TileLang is not installed there, or is being worked on (an editable install).
    """
    for folder in site_packages_of(interpreter):
        for metadata in sorted(folder.glob("tilelang-*.dist-info")):
            return None if _is_editable(metadata) else _hash_of(metadata / "RECORD", folder.parent.name)
    return None


@cache
def tilescope_identity() -> str:
    """A hash of the code that makes facts and findings."""
    digest = hashlib.sha256()
    for package in (tilescope_trace, tilescope_worker):
        root = Path(package.__file__ or "").parent
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def environment_identity() -> tuple[str, ...]:
    """The environment variables that TileLang reads, as ``NAME=value``, sorted."""
    return tuple(sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(_VARIABLES)))


def _is_editable(metadata: Path) -> bool:
    try:
        told = json.loads((metadata / "direct_url.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    info = told.get("dir_info") if isinstance(told, dict) else None
    return isinstance(info, dict) and info.get("editable") is True


def _hash_of(record: Path, python: str) -> str | None:
    try:
        return hashlib.sha256(python.encode() + record.read_bytes()).hexdigest()
    except OSError:
        return None
