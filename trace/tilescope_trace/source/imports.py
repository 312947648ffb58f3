"""Which third-party modules a file imports, and which folder is its workspace."""

from __future__ import annotations

import ast
from pathlib import Path

from .tolerant import Parsed

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
"""What marks the top folder of a project."""

_LAYOUTS = ("", "src", "python")
"""Where projects keep their packages."""

_OURS = frozenset({"tilelang", "tvm", "__future__"})
"""Imported by the zygote already, or no module."""


def workspace_of(path: str) -> str:
    """The nearest folder above ``path`` that holds a project marker, else the file's own folder."""
    folder = Path(path).parent
    for parent in (folder, *folder.parents):
        if any((parent / marker).exists() for marker in MARKERS):
            return str(parent)
    return str(folder)


def third_party(parsed: Parsed, path: str, workspace: str) -> tuple[str, ...]:
    """Top-level modules imported at module level that are not the user's own, sorted.

    The user's own must not be taken for somebody else's: others are imported once, these anew as they change.
    """
    folders = [folder for folder in Path(path).parents if folder.is_relative_to(workspace)]
    roots = [folder / layout for folder in (*folders, Path(path).parent, Path(workspace)) for layout in _LAYOUTS]
    names = {name for statement in parsed.tree.body for name in _imported(statement)}
    return tuple(sorted(name for name in names - _OURS if not any(_is_own(name, root) for root in roots)))


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name.split(".")[0] for alias in statement.names]
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        return [statement.module.split(".")[0]]
    return []


def _is_own(name: str, root: Path) -> bool:
    return (root / name).is_dir() or (root / f"{name}.py").exists()
