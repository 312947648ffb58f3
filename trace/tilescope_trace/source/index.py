"""The Python files below a folder, and which words their imports hold: told without parsing them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 4000
MOST_BYTES = 64 << 20
LARGEST = 1 << 20
"""What is indexed of a workspace: files (and folders), bytes of all of them, bytes of one."""
_SKIPPED = frozenset(
    {"__pycache__", "node_modules", "site-packages", "dist-packages", "venv", "env", "virtualenv", "build", "dist"}
)
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)
_WORD = re.compile(r"[^\W\d]\w*")

Stamp = tuple[int, int]
"""Modification time in ns and size of a file: equal for a file that has not been written."""
Skipped = Callable[[str], bool]


@dataclass(frozen=True)
class Entry:
    """What is known of a file without parsing it."""

    stamp: Stamp
    imports: frozenset[str]


def imported_words(text: str) -> frozenset[str]:
    """Every module and name that import statements mention, part by part. Pure."""
    found: set[str] = set()
    for module, names, plain in _IMPORT.findall(text):
        found.update(_WORD.findall(f"{module} {names} {plain}"))
    return frozenset(found - {"as", "import"})


def walk(
    root: str, before: Mapping[str, Entry], *, deep: bool = True, skipped: Skipped | None = None
) -> tuple[dict[str, Entry], bool]:
    """The files below ``root`` by path, and whether these are all. Files whose stamp is that of ``before`` are not
    read. Nothing is raised for what the disk holds."""
    now: dict[str, Entry] = {}
    size = 0
    for path, stamp in _files(root, deep, skipped or (lambda _path: False)):
        size += stamp[1]
        if path is None or len(now) >= MOST_FILES or size > MOST_BYTES:
            return now, False
        known = before.get(path)
        if known is None or known.stamp != stamp:
            text = read_text(path)
            known = None if text is None else Entry(stamp, imported_words(text))
        if known is not None:
            now[path] = known
    return now, True


def read_text(path: str) -> str | None:
    """The text of a file, None where it cannot be read."""
    try:
        return Path(path).read_text("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _files(root: str, deep: bool, skipped: Skipped) -> Iterator[tuple[str | None, Stamp]]:
    """Paths and stamps; a path of None where there are more folders than are visited."""
    visited = 0
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        visited += 1
        if visited > MOST_FILES:
            yield None, (0, 0)
            return
        folders[:] = sorted(
            name
            for name in folders
            if deep
            and not name.startswith(".")
            and name not in _SKIPPED
            and not (here / name / "pyvenv.cfg").exists()
            and not skipped(str(here / name))
        )
        for name in sorted(files):
            path = here / name
            if not name.endswith(".py") or skipped(str(path)):
                continue
            try:
                status = path.stat()
            except OSError:
                continue
            # Reading a pipe waits for ever.
            if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST:
                yield str(path), (status.st_mtime_ns, status.st_size)
