"""The workspace files that a kernel file imports, directly or not, as far as its text tells."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tilescope_trace.parsing import parse

_MOST_FILES = 2000


def closure(path: str, tree: ast.Module, workspace: str) -> dict[str, str]:
    """Hashes of the workspace modules that ``path`` (with the syntax tree ``tree``) may import, by path relative to
    the workspace. Modules imported by name at run time are not among them."""
    found: dict[str, str] = {}
    waiting = list(_imported(tree, path, workspace))
    while waiting and len(found) < _MOST_FILES:
        file = waiting.pop()
        name = os.path.relpath(file, workspace).replace(os.sep, "/")
        if name in found or file == path:
            continue
        read = _read(file)
        if read is None:
            continue
        found[name] = read[0]
        waiting += _candidates(read[1], file, workspace)
    return found


Names = tuple[tuple[int, str], ...]
"""Modules as an import statement names them: (level of a relative import, dotted name)."""


_seen: dict[str, tuple[tuple[int, int], tuple[str, Names]]] = {}
"""What was read last, by file, with its modification time and size."""


def _read(file: str) -> tuple[str, Names] | None:
    """The hash of a file and what it imports; None where it cannot be read."""
    try:
        status = Path(file).stat()
        stamp = status.st_mtime_ns, status.st_size
        known = _seen.get(file)
        if known is None or known[0] != stamp:
            known = _seen[file] = stamp, _parsed(Path(file).read_bytes())
    except OSError:
        return None
    return known[1]


def _parsed(data: bytes) -> tuple[str, Names]:
    digest = hashlib.sha256(data).hexdigest()
    try:
        tree = parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return digest, ()
    return digest, tuple(_names(tree))


def _imported(tree: ast.Module, path: str, workspace: str) -> Iterator[str]:
    return _candidates(_names(tree), path, workspace)


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield node.level, base
            # What is imported may be a module of the package.
            yield from ((node.level, f"{base}.{alias.name}".strip(".")) for alias in node.names)


def _candidates(names: Iterable[tuple[int, str]], path: str, workspace: str) -> Iterator[str]:
    """Files of the workspace that the names may mean."""
    own = Path(path).parent
    for level, name in names:
        parts = [part for part in name.split(".") if part]
        roots = [own, Path(workspace)] if level == 0 else [own, *own.parents][level - 1 : level]
        for root in roots:
            # A package's own file runs before its modules.
            for end in range(len(parts) + 1) if level else range(1, len(parts) + 1):
                base = root.joinpath(*parts[:end])
                yield from (
                    str(file)
                    for file in (base.with_name(base.name + ".py"), base / "__init__.py")
                    if _is_own(file, workspace)
                )


def _is_own(file: Path, workspace: str) -> bool:
    return file.is_file() and file.is_relative_to(workspace)
