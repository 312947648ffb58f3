"""The lock file: TOML, sorted, a line a fact, so that it is read in a review and branches merge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilescope_trace.config.toml import TOMLDecodeError, loads
from tilescope_trace.errors import UsageError

from .facts import Entry

NAME = "tilescope.lock"
VERSION = 1
SPECIALIZATIONS = ("all", "first")


@dataclass(frozen=True)
class Lock:
    """What a lock file holds. ``paths`` (relative to its folder) and ``targets`` are what it was made of, so that a
    check looks at the same; ``tilelang`` is the version that compiled."""

    tilelang: str | None
    paths: tuple[str, ...]
    targets: tuple[str, ...]
    specialization: str | None
    entries: tuple[Entry, ...]


def written(lock: Lock) -> str:
    """The text of a lock file."""
    return "\n".join(_lines(lock)) + "\n"


def read(path: Path) -> Lock:
    """Raises UsageError for a file that is not there or is no lock."""
    try:
        document = loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"there is no lock file {path}; tilescope lock makes one") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is no lock file: {error} (left from a merge?)") from None
    if document.get("version") != VERSION:
        raise UsageError(f"{path} is no lock file of version {VERSION}: make it anew with tilescope lock")
    specialization = document.get("specialization")
    if specialization not in (None, *SPECIALIZATIONS):
        raise UsageError(f"{path}: specialization is {specialization!r}, and can be {' or '.join(SPECIALIZATIONS)}")
    return Lock(
        tilelang=_text(document.get("tilelang"), path) if "tilelang" in document else None,
        paths=_texts(document.get("paths", []), path),
        targets=_texts(document.get("targets", []), path),
        specialization=specialization,
        entries=tuple(sorted(_entries(document.get("facts", {}), path), key=lambda entry: entry.key)),
    )


def _lines(lock: Lock) -> Iterator[str]:
    yield "# Made by `tilescope lock`: what the compiler makes of each kernel. `tilescope lock --check` tells what"
    yield "# changes, `tilescope lock --update` takes it over."
    yield f"version = {VERSION}"
    if lock.tilelang is not None:
        yield f"tilelang = {_quoted(lock.tilelang)}"
    yield f"paths = [{', '.join(map(_quoted, lock.paths))}]"
    yield f"targets = [{', '.join(map(_quoted, lock.targets))}]"
    if lock.specialization is not None:
        yield f"specialization = {_quoted(lock.specialization)}"
    for entry in sorted(lock.entries, key=lambda entry: entry.key):
        parts = [entry.file, entry.kernel, entry.target, entry.arguments]
        parts += [str(entry.number)] if entry.number > 1 else []
        yield ""
        yield f"[facts.{'.'.join(map(_quoted, parts))}]"
        # In the order of the kernel; a fact added on either branch is a line of its own.
        yield from (f"{_quoted(name)} = {_quoted(fact)}" for name, fact in entry.facts.items())


def _quoted(text: str) -> str:
    """A TOML string, which JSON's are, but for the character DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _entries(table: Any, path: Path) -> Iterator[Entry]:
    for file, kernels in _table(table, path):
        for kernel, targets in _table(kernels, path):
            for target, specializations in _table(targets, path):
                for arguments, facts in _table(specializations, path):
                    own = {name: one for name, one in _table(facts, path) if isinstance(one, str)}
                    if own:
                        yield Entry(file, kernel, target, arguments, own)
                    for number, others in _table(facts, path):
                        if isinstance(others, dict) and number.isdigit():
                            told = {name: _text(one, path) for name, one in others.items()}
                            yield Entry(file, kernel, target, arguments, told, int(number))


def _table(value: Any, path: Path) -> Iterable[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise UsageError(f"{path} is no lock file: expected a table of facts, got {value!r}")
    return list(value.items())


def _text(value: Any, path: Path) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{path} is no lock file: expected text, got {value!r}")
    return value


def _texts(value: Any, path: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise UsageError(f"{path} is no lock file: expected an array of texts, got {value!r}")
    return tuple(_text(one, path) for one in value)
