"""The file of each generated source: what was generated when it was edited last (its base), and the user's text."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .merge import has_conflicts, merge

BASES = ".base"
"""The folder beside the files in which their bases lie."""

Outcome = Literal["written", "unchanged", "regenerated", "edited", "merged", "conflict", "unresolved"]
"""written: for the first time. unchanged: neither text changed. regenerated: only the compiler's text changed, and
the file with it. edited: the user's text is compiled. merged: both changed, apart; the merged text is compiled and in
the file. conflict: both changed the same lines; the file has both, and what was generated is compiled. unresolved:
the file has marks of a conflict still; what was generated is compiled."""


@dataclass(frozen=True)
class Resolved:
    """What to compile for a generated source, and why."""

    text: str
    outcome: Outcome
    conflicts: int = 0


def resolve(path: Path, generated: str) -> Resolved:
    """Bring the file and its base up to date with a generated source. Raises OSError and UnicodeDecodeError."""
    base_path = path.parent / BASES / path.name
    yours, base = _read(path), _read(base_path)
    if yours is None:
        _write(base_path, generated)
        _write(path, generated)
        return Resolved(generated, "written")
    if has_conflicts(yours):
        _write(base_path, generated)
        return Resolved(generated, "unresolved")
    if base == generated:
        return Resolved(yours, "unchanged" if yours == base else "edited")
    if base is None or yours == generated:
        _write(base_path, generated)
        return Resolved(yours, "unchanged" if yours == generated else "edited")
    if yours == base:
        _write(path, generated)
        _write(base_path, generated)
        return Resolved(generated, "regenerated")
    merged = merge(base, yours, generated)
    _write(path, merged.text)
    _write(base_path, generated)
    if merged.conflicts:
        return Resolved(generated, "conflict", merged.conflicts)
    return Resolved(merged.text, "merged")


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None


def _write(path: Path, text: str) -> None:
    """Replace the file as a whole: several processes of a program compile the same kernel."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
