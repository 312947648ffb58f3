"""The other Python files of a workspace: which of them use what a file defines, and what module names mean there."""

from __future__ import annotations

import functools
import itertools
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from .discover import KernelSource, discover
from .imports import MARKERS, workspace_of
from .index import LARGEST, Entry, Stamp, imported_words, read_text, walk
from .names import Names, resolve
from .remembered import Memory
from .tolerant import Parsed, parse

__all__ = ["Source", "Workspace", "imported_words", "shared_workspace"]

_PACKAGE = "__init__.py"
"""What it imports it hands on: it is not looked at itself."""
_TELLING = 4
"""Letters from which on a name says something."""
_KEPT = 48
"""Files whose syntax trees are kept."""
_ROOTS = ("", "src", "python")
"""Folders below the top one whose modules are imported without a prefix."""


@dataclass(frozen=True, eq=False)
class Source:
    """A file that has been read."""

    path: str
    parsed: Parsed
    names: Names
    stamp: object = None

    @functools.cached_property
    def kernels(self) -> tuple[KernelSource, ...]:
        """The kernels that it defines."""
        return discover(self.parsed, self.names)


class Workspace:
    """The Python files below ``root``, or in it alone where it is not ``deep``. ``skipped`` tells of a path that is
    left alone, besides hidden folders, virtual environments and build folders.

    A file is read when it is asked for and kept while its stamp stays the same; ``overlay`` gives texts that differ
    from the disk (open editors). Where ``lazy``, the first question for users walks the tree; otherwise ``refresh``
    has to be called, and may be from another thread. Nothing here raises for what the disk holds.
    """

    def __init__(
        self, root: str, *, lazy: bool = True, deep: bool = True, skipped: Callable[[str], bool] | None = None
    ) -> None:
        self.root = root
        self._deep = deep
        self.lazy = lazy
        self.complete = True
        """False where the workspace was too large to be indexed whole."""
        self._skipped = skipped
        self._overlay: dict[str, str] = {}
        self._index: dict[str, Entry] | None = None
        self._sources: OrderedDict[str, tuple[Stamp | str, Source]] = OrderedDict()
        self._users: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}
        self._lock = threading.Lock()
        self.memory = Memory()
        """What other files were found to call."""

    @property
    def indexed(self) -> bool:
        """Whether the tree has been walked."""
        return self._index is not None

    def overlay(self, texts: Mapping[str, str]) -> None:
        """The texts of open editors by absolute path; they stand for what is on the disk."""
        before, self._overlay = self._overlay, dict(texts)
        changed = {path for path in before.keys() | texts.keys() if before.get(path) != texts.get(path)}
        # Who uses a file does not depend on its own text.
        self._users = {key: found for key, found in self._users.items() if not changed - {key[0]}}

    def refresh(self) -> bool:
        """Walk the tree; files whose stamp is the same are not read. Whether anything has changed."""
        now, self.complete = walk(self.root, self._index or {}, deep=self._deep, skipped=self._skipped)
        changed = now != self._index
        self._index = now
        if changed:
            self._users = {}
        return changed

    def importing(self, word: str) -> dict[str, Stamp]:
        """The files whose imports mention a word, with their stamps, as far as the tree has been walked."""
        return {path: entry.stamp for path, entry in (self._index or {}).items() if word in entry.imports}

    def users(self, path: str, names: Collection[str], most: int) -> Iterator[Source]:
        """Files that import the module at ``path`` (or a package it is in) and mention one of ``names``, nearest
        first. A file that came to do so since the last ``refresh`` is not among them."""
        if self._index is None and self.lazy:
            self.refresh()
        key = (path, frozenset(names))
        if key not in self._users:
            self._users[key] = tuple(itertools.islice(self._mentioning(path, names), most))
        for other in self._users[key]:
            if (source := self.source(other)) is not None:
                yield source

    def mentioning(self, path: str, names: Collection[str]) -> Iterator[str]:
        """The paths of all files that `users` may give for these names."""
        if self._index is None and self.lazy:
            self.refresh()
        return self._mentioning(path, names)

    def words_for(self, path: str, names: Collection[str]) -> set[str]:
        """Words of which a file imports one before it can use one of ``names`` of the module at ``path``."""
        return {*names, PurePath(path).stem, *_packages(path, self.root)}

    def _mentioning(self, path: str, names: Collection[str]) -> Iterator[str]:
        if not names:
            return
        wanted = self.words_for(path, names)
        found = [
            other
            for other, entry in (self._index or {}).items()
            if other != path
            and PurePath(other).name != _PACKAGE
            and wanted & (imported_words(self._overlay[other]) if other in self._overlay else entry.imports)
        ]
        mentions = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        for other in sorted(found, key=lambda other: _distance(path, other)):
            text = self._text(other)
            if text is not None and mentions.search(text[1]):
                yield other

    def source(self, path: str) -> Source | None:
        """A file, parsed; None where it cannot be read."""
        found = self._text(path)
        if found is None:
            return None
        stamp, text = found
        with self._lock:
            known = self._sources.get(path)
            if known is not None and known[0] == stamp:
                self._sources.move_to_end(path)
                return known[1]
        parsed = parse(text)
        source = Source(path, parsed, resolve(parsed), stamp)
        with self._lock:
            self._sources[path] = (stamp, source)
            while len(self._sources) > _KEPT:
                self._sources.popitem(last=False)
        return source

    def find(self, dotted: str, importer: str) -> str | None:
        """The file of a module as ``importer`` names it (``.utils``, ``package.module``), None for one that is not of
        this workspace."""
        level = len(dotted) - len(dotted.lstrip("."))
        parts = [part for part in dotted.split(".") if part]
        folder = Path(importer).parent
        if level:
            for _ in range(level - 1):
                folder = folder.parent
            return _module(folder, parts)
        for base in dict.fromkeys([folder, *(Path(self.root) / root for root in _ROOTS), *_above(folder, self.root)]):
            if (found := _module(base, parts)) is not None:
                return found
        return None

    def _text(self, path: str) -> tuple[Stamp | str, str] | None:
        if path in self._overlay:
            return self._overlay[path], self._overlay[path]
        try:
            status = Path(path).stat()
        except (OSError, ValueError):
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        with self._lock:
            known = self._sources.get(path)
            if known is not None and known[0] == stamp:
                return stamp, "\n".join(known[1].parsed.lines)
        text = read_text(path) if status.st_size <= LARGEST else None
        return None if text is None else (stamp, text)


_shared: dict[str, Workspace] = {}


def shared_workspace(path: str) -> Workspace | None:
    """The one workspace of this process that a file belongs to; None for a file without a folder."""
    if not Path(path).parent.is_dir():
        return None
    root = workspace_of(str(Path(path).absolute()))
    marked = any((Path(root) / marker).exists() for marker in MARKERS)
    return _shared.setdefault(root, Workspace(root, deep=marked))


def _module(base: Path, parts: Iterable[str]) -> str | None:
    place = base.joinpath(*parts)
    for candidate in (f"{place}.py", str(place / "__init__.py")):
        if Path(candidate).is_file():
            return candidate
    return None


def _above(folder: Path, root: str) -> list[Path]:
    """The folders between ``folder`` and the top one, nearest first."""
    top = Path(root)
    return [parent for parent in folder.parents if parent == top or top in parent.parents]


def _packages(path: str, root: str) -> set[str]:
    """The names of the packages that a file is in."""
    found: set[str] = set()
    for folder in _above(Path(path), root):
        if not (folder / "__init__.py").is_file():
            break
        found.add(folder.name)
    return found


def _distance(path: str, other: str) -> tuple[int, str]:
    """Folders to go through from one file to another; one that is named after the other is near."""
    here, there = PurePath(path).parent.parts, PurePath(other).parent.parts
    common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
    stem = PurePath(other).stem.removeprefix("test_").removesuffix("_test")
    named = len(stem) > _TELLING and (stem in PurePath(path).stem or PurePath(path).stem in stem)
    return (0 if named else len(here) + len(there) - 2 * common), other
