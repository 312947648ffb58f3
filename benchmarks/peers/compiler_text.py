"""What TileLang, and tools that run it, print when a kernel fails or is doubtful: read as a person reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from .judge import Said

UNFINISHED = "TimeoutError: it had not ended"
"""What ``programs/warm.py`` says of a command that it ended."""
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+), in ', re.MULTILINE)
_PLACE = re.compile(r"-->\s+(\S+?):(\d+)")
_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Exit))(?:: ?(.*))?$")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_WARNING = re.compile(r"\bWarning: ?(.*)$|\[W[^\]]*\] ?(.*)$")
_KINDS = {
    "uninitialized-read": re.compile(r"initiali[sz]|before (?:it is )?written", re.IGNORECASE),
    "parallel-race": re.compile(r"data race|race condition", re.IGNORECASE),
}


def said_in(output: str, path: Path, *, failed: bool) -> tuple[Said, ...]:
    """Warnings and, where the tool ``failed``, the failure. A failure's line is what its message points at, else the
    innermost frame of the traceback that lies in the kernel's file."""
    plain = _ANSI.sub("", output)
    found = list(_warnings(plain, path))
    if failed:
        found.append(_failure(plain, path))
    return tuple(dict.fromkeys(found))


def _warnings(text: str, path: Path) -> Iterator[Said]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if _WARNING.search(line)]
    for start, end in pairwise([*starts, len(lines)]):
        warned = _WARNING.search(lines[start])
        assert warned is not None
        message = (warned[1] or warned[2] or "").strip()
        for line in _places("\n".join(lines[start:end]), path) or [None]:
            yield Said(line, "warning", kind_of(message), message)


def _failure(text: str, path: Path) -> Said:
    # The last traceback is the one that ended the program; those before it were handled or led to it.
    last = text[text.rfind("Traceback (most recent call last)") :] if "Traceback (most" in text else text
    frames = [int(line) for file, line in _FRAME.findall(last) if Path(file).name == path.name]
    line = next(iter([*_places(last, path), *reversed(frames)]), None)
    message = message_of(last)
    kind = "unfinished" if message.startswith(UNFINISHED) else "failure"
    return Said(line, "error", kind, message)


def message_of(text: str) -> str:
    """The first line of the last exception named in a text; else the last line that is not empty."""
    for line in reversed(text.splitlines()):
        error = _ERROR.match(line)
        if error is not None:
            return f"{error[1]}: {error[2] or ''}".rstrip(": ")
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def kind_of(message: str) -> str | None:
    return next((kind for kind, words in _KINDS.items() if words.search(message)), None)


def _places(text: str, path: Path) -> list[int | None]:
    return [int(line) for file, line in _PLACE.findall(text) if Path(file).name == path.name]
