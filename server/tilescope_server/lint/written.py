"""Writes a changed source back as it was: encoding, byte order mark and line ends stay."""

from __future__ import annotations

import difflib
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.files import decoded
from tilescope_trace.whole import write_whole

_END = re.compile(r"\r\n|\r|\n")


def write_back(path: str, before: str, after: str) -> None:
    """Replace the text ``before`` of a file by ``after``, whole or not at all. Raises UsageError where the file is
    not what was read, or cannot be written."""
    file = Path(path)
    try:
        data = file.read_bytes()
        if decoded(data, file) != before:
            raise UsageError(f"{file} was changed meanwhile; it is left as it is")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        ends = _END.findall(data.decode(encoding))
        write_whole(file, _with_ends(before, after, ends).encode(encoding))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
    except UnicodeEncodeError:
        raise UsageError(f"{file}: the fix holds characters that its encoding {encoding} has not") from None


def _with_ends(before: str, after: str, ends: list[str]) -> str:
    """The text with the line ends of the file: each line that was there has its own, a new one what most have."""
    usual = Counter(ends).most_common(1)[0][0] if ends else "\n"
    if len(set(ends)) <= 1:
        return after.replace("\n", usual)
    old, new = before.split("\n"), after.split("\n")
    found = []
    for _, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        own = ends[first:last]
        found += [*own, *[usual] * (end - start)][: end - start]
    return "".join(line + end for line, end in zip(new, [*found[: len(new) - 1], ""], strict=True))
