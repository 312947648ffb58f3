"""What was found of a workspace last time, as long as nothing that it rests on has changed.

The key of a result (`key_of`) needs a plan of the file, which costs milliseconds a kernel. Here it is remembered by
what the plan has read: a later run compares modification times and hashes nothing but the files it checks. What is
kept is true on this machine only; without it the key is found again, and with it the result.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

import msgspec

from tilescope_trace.captured.model import FILE as CAPTURED
from tilescope_trace.source.index import Stamp, imported_words
from tilescope_trace.source.workspace import Workspace

MOST_CHANGED = 100
"""Changed files up to which it is worth asking what each has to do with what is remembered."""
MOST_NEEDED = 300
"""Other files up to which those that a result rests on are told one by one."""
CLOCK_NS = 20_000_000
"""A file written since so long before a run may be written again without a new time."""
_DEF = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_SKIPPED = frozenset({"__pycache__", "node_modules"})
_UNSURE: Stamp = (-1, -1)
"""Of such a file; it is the same as none, not even as itself."""


class Entry(msgspec.Struct, frozen=True):
    """The key of a file's result, found with the given ``text`` (a hash) and ``asked``. It rests on the files
    ``needs``; a changed file that imports one of ``words``, or a new one that is named by one of ``imports``, may
    change it."""

    key: str
    text: str
    asked: str
    needs: tuple[str, ...]
    words: frozenset[str]
    imports: frozenset[str]


class _Kept(msgspec.Struct):
    stamps: dict[str, tuple[int, int]] = {}
    entries: dict[str, Entry] = {}


class Seen:
    """What is remembered of the workspace ``root`` in the cache ``folder``. Nothing here raises for what the disk
    does."""

    def __init__(self, folder: Path, root: str) -> None:
        self._file = folder / "seen" / f"{hashlib.sha256(root.encode(errors='surrogatepass')).hexdigest()[:24]}.json"
        kept = _load(self._file)
        self._stamps = dict(_stamps(root))
        self._entries = _still_true(kept, self._stamps)
        self._changed = self._entries.keys() != kept.entries.keys() or self._stamps != kept.stamps

    def key(self, path: str, text: str, asked: str) -> str | None:
        """The key of the file's result; None where it has to be found."""
        found = self._entries.get(path)
        return found.key if found is not None and (found.text, found.asked) == (hash_of(text), asked) else None

    def add(self, path: str, text: str, asked: str, key: str, imported: Iterable[str], workspace: Workspace) -> None:
        """Remember a key; ``imported`` are the paths of modules that the file imports, directly or not."""
        users, words = _users(path, text, workspace)
        needs = sorted({*imported, *users})
        if len(needs) > MOST_NEEDED or not all(map(_is_text, needs)):
            return
        imports = imported_words(text).union(*(imported_words(_read(one)) for one in needs))
        self._entries[path] = Entry(key, hash_of(text), asked, tuple(needs), words, imports)
        self._changed = True

    def save(self) -> None:
        """Write what is remembered, whole or not at all."""
        if not self._changed:
            return
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(_Kept(self._stamps, self._entries)))
            Path(name).replace(self._file)


def _is_text(path: str) -> bool:
    """Whether a path is UTF-8, as what is kept must be; no module that can be imported has another."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def hash_of(text: str) -> str:
    """A hash of a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _load(file: Path) -> _Kept:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return _Kept()


def _still_true(kept: _Kept, now: dict[str, Stamp]) -> dict[str, Entry]:
    changed = {
        path
        for path in kept.stamps.keys() | now.keys()
        if kept.stamps.get(path) != now.get(path) or now.get(path) == _UNSURE
    }
    if len(changed) > MOST_CHANGED:
        return {}
    words = {path: imported_words(_read(path)) for path in changed if path in now}
    named = {word for path in now.keys() - kept.stamps.keys() for word in _names(path)}
    return {
        path: entry
        for path, entry in kept.entries.items()
        if path in now
        and changed.isdisjoint(entry.needs)
        and named.isdisjoint(entry.imports)
        and all(path == one or entry.words.isdisjoint(found) for one, found in words.items())
    }


def _names(path: str) -> tuple[str, ...]:
    """What an import statement calls a module by."""
    pure = PurePath(path)
    return (pure.parent.name,) if pure.name == "__init__.py" else (pure.stem, pure.parent.name)


def _users(path: str, text: str, workspace: Workspace) -> tuple[set[str], frozenset[str]]:
    """The files that may use what a file defines, and those that may use what these define, and the words of which a
    file imports one before it can be one of them."""
    found: set[str] = set()
    words: set[str] = set()
    waiting = [(path, text)]
    while waiting and len(found) <= MOST_NEEDED:
        file, content = waiting.pop()
        names = frozenset(_DEF.findall(content))
        words |= workspace.words_for(file, names)
        for other in workspace.mentioning(file, names):
            if other not in found and other != path:
                found.add(other)
                waiting.append((other, _read(other)))
    return found, frozenset(words)


def _stamps(root: str) -> Iterator[tuple[str, Stamp]]:
    """The Python files and captures of a workspace, with modification time and size."""
    sure = time.time_ns() - CLOCK_NS
    waiting = [root]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                        waiting.append(entry.path)
                elif _is_text(entry.path) and (entry.name.endswith(".py") or entry.name == CAPTURED):
                    with contextlib.suppress(OSError):
                        status = entry.stat()
                        own = status.st_mtime_ns, status.st_size
                        if stat.S_ISREG(status.st_mode):
                            yield entry.path, own if own[0] < sure else _UNSURE


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except (OSError, ValueError):
        return ""
