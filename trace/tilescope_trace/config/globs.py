"""Globs over paths relative to a configuration file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


def matches(path: str, patterns: Iterable[str], folder: str) -> bool:
    """Whether a file lies where one of the globs says.

    ``**`` is any number of folders, ``*`` and ``?`` stay within a name. A glob without a slash is looked for in
    every folder; one that names a folder means everything below it.
    """
    relative = _relative(path, folder)
    return relative is not None and any(_compiled(pattern).fullmatch(relative) for pattern in patterns)


def _relative(path: str, folder: str) -> str | None:
    """``path`` from the folder, with slashes; None outside of it."""
    bases = (Path(folder), Path(os.path.realpath(folder)))
    base = next((one for one in bases if Path(path).is_relative_to(one)), None)
    return Path(path).relative_to(base).as_posix() if base is not None else None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    text = pattern.replace("\\", "/").removeprefix("./").rstrip("/")
    names = text.lstrip("/").split("/")
    anywhere = "/" not in text
    # A name at the end means the file, or everything below the folder; "a/**" means the latter as well.
    while names and names[-1] == "**":
        names.pop()
    if not names:
        return re.compile(".*")
    before = "".join("(?:[^/]+/)*" if name == "**" else _name(name) + "/" for name in names[:-1])
    return re.compile(("(?:[^/]+/)*" if anywhere else "") + before + _name(names[-1]) + "(?:/.*)?")


def _name(name: str) -> str:
    found = []
    position = 0
    while position < len(name):
        character = name[position]
        end = name.find("]", position + 2) if character == "[" else -1
        if character == "*":
            found.append("[^/]*")
        elif character == "?":
            found.append("[^/]")
        elif end > 0:
            found.append(_characters(name[position + 1 : end]))
            position = end
        else:
            found.append(re.escape(character))
        position += 1
    return "".join(found)


def _characters(inner: str) -> str:
    """What stands in brackets, as a regular expression; one that matches nothing for ranges from high to low."""
    text = re.sub(r"([\\\[&~|])", r"\\\1", inner.removeprefix("!")).replace("--", r"-\-")
    found = f"[{'^' * inner.startswith('!')}{text}]"
    try:
        re.compile(found)
    except re.error:
        return "(?!)"
    return found
