"""From what somebody gave as a profile, file or folder, to profiles."""

from __future__ import annotations

import codecs
import gc
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilescope_trace.store.schema import is_recording

from .errors import ProfileError
from .importers import IMPORTERS, Importer
from .model import Profile
from .source import PACKED, Source

_UTF_16 = ("it is UTF-16 text, as PowerShell's > writes it", "UTF-8: `... | Out-File -Encoding utf8 FILE`, or iconv")
_FOREIGN = (
    (b"\x7fELF", "it is machine code", "a profile; machine code is given with --code"),
    (b"PK\x03\x04", "it is a zip archive", "the files in it: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is packed with zstd", "a plain file, or one packed with gzip, bzip2 or xz"),
    *((magic, "it is packed twice", "a file that is packed once") for magic in PACKED),
    *((mark, *_UTF_16) for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
)
"""Files that people give for profiles, by how they begin: what they are, and what to do."""


def load_profiles(path: Path) -> tuple[Profile, ...]:
    """The profiles in ``path``. A folder is one profile where a format consists of a folder; otherwise every file in
    it, and in the folders below, that is of a known format. Pipes, devices and links that lead nowhere are passed
    over there, and of a damaged file the profile says so (``nothing_to_show``), as long as another one can be read.

    Raises ProfileError where there is no file, or none of a known format, and for damaged ones.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise ProfileError(path, "there is no such file or folder", "a profiler's output") from None
    except OSError as error:
        raise ProfileError(path, error.strerror or str(error), "a profiler's output") from error
    source = Source(path)
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise ProfileError(path, "it is no regular file", "a file on disk, which is read more than once")
    importer = importer_for(source)
    if importer is not None:
        return (_loaded(importer, source),)
    if not source.is_folder:
        raise _unknown(source)
    found = _below(path)
    if not found:
        raise ProfileError(path, "no file in this folder is of a known format", known_formats())
    return _readable(found)


def _readable(found: list[tuple[Importer, Source]]) -> tuple[Profile, ...]:
    """The profiles of a folder's files. Raises the first ProfileError where none can be read."""
    results = [_loaded_or_why(importer, source) for importer, source in found]
    errors = [error for _, error in results if error is not None]
    if len(errors) == len(results):
        raise errors[0]
    return tuple(profile for profile, _ in results)


def _loaded_or_why(importer: Importer, source: Source) -> tuple[Profile, ProfileError | None]:
    try:
        return _loaded(importer, source), None
    except ProfileError as error:
        why = f"{error.problem}; expected {error.expected}"
        return Profile(source.path, importer.NAME, nothing_to_show=why), error


def _loaded(importer: Importer, source: Source) -> Profile:
    try:
        with _no_collections():
            return importer.load(source)
    except OverflowError as error:
        raise ProfileError(source.path, "a number has more than 64 bits", f"a profile ({importer.NAME})") from error


@contextmanager
def _no_collections() -> Iterator[None]:
    """A profile is hundreds of thousands of objects without a cycle among them, and each collection walks them all:
    that was a quarter of the time on 60 MB."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def importer_for(source: Source) -> Importer | None:
    """The importer that recognises ``source``, None if there is none."""
    return next((importer for importer in IMPORTERS if importer.recognise(source)), None)


def known_formats() -> str:
    """The names of all formats, for a message."""
    return "one of: " + ", ".join(importer.NAME for importer in IMPORTERS)


def _below(folder: Path) -> list[tuple[Importer, Source]]:
    found = []
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise ProfileError(folder, error.strerror or str(error), "a readable folder") from error
    for entry in entries:
        if entry.name.startswith(".") or not (entry.is_file() or entry.is_dir()):
            continue
        source = Source(entry)
        importer = importer_for(source)
        if importer is not None:
            found.append((importer, source))
        elif entry.is_dir() and not entry.is_symlink():
            found.extend(_below(entry))
    return found


def _unknown(source: Source) -> ProfileError:
    if not source.head:
        return ProfileError(source.path, "the file is empty", known_formats())
    if is_recording(source.head[:100]):
        return ProfileError(source.path, "it is a recording", "a profile; recordings are given with --recording")
    for start, problem, expected in _FOREIGN:
        if source.head.startswith(start):
            return ProfileError(source.path, problem, expected)
    return ProfileError(source.path, "its content is of no known profiler format", known_formats())
