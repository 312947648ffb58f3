"""The kernel files among paths and folders."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot, snapshot_of
from tilescope_trace.notebook_files import SUFFIX, is_notebook

from .model import Source

_NEVER = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
"""Folders in which nobody keeps the sources of kernels; they are linted where they are named themselves."""
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
_NAMES_TILELANG = "tilelang"
"""A file that does not hold this word can neither import TileLang nor hold a kernel."""

Excluded = Callable[[str], bool]


def sources(paths: Sequence[Path], excluded: Excluded) -> tuple[Source, ...]:
    """The files among ``paths`` and below those that are folders, in order of their paths, each once.

    A file that is named is always taken; in folders, Python files and notebooks that name TileLang are, but no hidden
    folders, no virtual environments, no folders reached by a link and nothing ``excluded``. Raises UsageError for a
    path that does not exist; what is no path is tried as a glob.
    """
    found: dict[str, Source] = {}
    for path in (one for given in paths for one in _expanded(given)):
        if path.is_dir():
            candidates = (_read(one) for one in _below(path, excluded))
            taken: Iterable[Source] = (
                one for one in candidates if _is_told(one) or _NAMES_TILELANG in (one.text or "")
            )
        elif os.path.lexists(path):
            taken = (_read(path),)
        else:
            raise UsageError(f"there is no file {path}")
        for source in taken:
            found.setdefault(source.path, source)
    return tuple(sorted(found.values(), key=lambda source: source.shown))


def from_text(data: bytes, name: str | None) -> Source:
    """The source that is read from a pipe, as if it were the file ``name`` (None: one in the working folder)."""
    path = Path(name) if name else Path("stdin.py")
    shown = shown_name(path) if name else "<stdin>"
    try:
        snapshot = snapshot_of(str(_absolute(path)), data, Path(shown))
        return Source(snapshot.path, shown, snapshot.text, piped=True, cells=snapshot.cells)
    except UsageError as error:
        return Source(str(_absolute(path)), shown, None, str(error), piped=True)


def shown_name(path: Path) -> str:
    """A path as output names it: from the working folder where it lies inside, with slashes."""
    absolute, working = _absolute(path), Path.cwd()
    return (absolute.relative_to(working) if absolute.is_relative_to(working) else absolute).as_posix()


def _is_told(source: Source) -> bool:
    """Whether a file of a folder that cannot be read is told of: notebooks may well be none of Python."""
    return source.problem is not None and not is_notebook(Path(source.path))


def _expanded(path: Path) -> list[Path]:
    """The paths that a glob stands for, in order; any other path is itself."""
    if os.path.lexists(path) or not glob.has_magic(str(path)):
        return [path]
    return [Path(found) for found in sorted(glob.glob(str(path), recursive=True))] or [path]  # noqa: PTH207 - absolute too


def _absolute(path: Path) -> Path:
    """An absolute path without ``..``, links left as they are."""
    return Path(os.path.normpath(path.absolute()))


def _below(folder: Path, excluded: Excluded) -> Iterator[Path]:
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if enters(Path(top, name), excluded))
        yield from (
            path
            for path in (Path(top, name) for name in sorted(files) if name.endswith((".py", SUFFIX)))
            if not excluded(str(_absolute(path)))
        )


def enters(folder: Path, excluded: Excluded) -> bool:
    """Whether a folder below one that is named is looked into."""
    if folder.name.startswith(".") or folder.name in _NEVER or excluded(str(_absolute(folder))):
        return False
    return not (folder / _VIRTUAL_ENVIRONMENT).exists()


def _read(path: Path) -> Source:
    absolute, shown = os.path.realpath(path), shown_name(path)
    try:
        snapshot = read_snapshot(path)
        return Source(absolute, shown, snapshot.text, cells=snapshot.cells)
    except UsageError as error:
        return Source(absolute, shown, None, str(error))
