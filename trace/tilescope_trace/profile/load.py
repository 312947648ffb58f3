"""From what somebody gave as a profile, file or folder, to profiles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import ProfileError
from .importers import IMPORTERS, Importer
from .model import Profile
from .source import Source


def load_profiles(path: Path) -> tuple[Profile, ...]:
    """The profiles in ``path``. A folder is one profile where a format consists of a folder; otherwise every file in
    it, and in the folders below, that is of a known format.

    Raises ProfileError where there is no file, or none of a known format, and for damaged ones.
    """
    if not path.exists():
        raise ProfileError(path, "there is no such file or folder", "a profiler's output")
    source = Source(path)
    if not source.is_folder and not path.is_file():
        raise ProfileError(path, "it is no regular file", "a file on disk, which is read more than once")
    importer = importer_for(source)
    if importer is not None:
        return (_loaded(importer, source),)
    if not source.is_folder:
        raise _unknown(source)
    found = _below(path)
    if not found:
        raise ProfileError(path, "no file in this folder is of a known format", known_formats())
    return tuple(profile for inner in found for profile in load_profiles(inner))


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


def _below(folder: Path) -> list[Path]:
    found = []
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise ProfileError(folder, error.strerror or str(error), "a readable folder") from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if importer_for(Source(entry)) is not None:
            found.append(entry)
        elif entry.is_dir() and not entry.is_symlink():
            found.extend(_below(entry))
    return found


def _unknown(source: Source) -> ProfileError:
    if not source.head:
        return ProfileError(source.path, "the file is empty", known_formats())
    return ProfileError(source.path, "its content is of no known profiler format", known_formats())
