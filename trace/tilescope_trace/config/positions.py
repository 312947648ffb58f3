"""Where each key and element of a TOML text stands: the standard parser does not tell."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from .toml import loads

Path = tuple["str | int", ...]
"""Keys and indices from the top of a document: ``("tool", "tilescope", "kernels", 0, "files")``."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""+|\'\'\'.*?\'\'\'+' + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d[ Tt]?[^\s,\]}#]*|[^\s,\]}#]+")


@dataclass(frozen=True)
class Position:
    """1-based line and column in code points of a key or an array's element; the end is exclusive."""

    line: int
    column: int
    end_column: int


def positions(text: str) -> dict[Path, Position]:
    """The position of every key and element of ``text``, which the TOML parser has accepted."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self.found: dict[Path, Position] = {}
        self._text = text
        self._at = 0
        self._sizes: dict[Path, int] = {}
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def document(self) -> None:
        table: Path = ()
        while self._skip():
            if self._text.startswith("[[", self._at):
                self._at += 2
                table = self._header(array=True)
                self._at = self._text.index("]]", self._at) + 2
            elif self._text[self._at] == "[":
                self._at += 1
                table = self._header(array=False)
                self._at = self._text.index("]", self._at) + 1
            else:
                self._pair(table)

    def _skip(self) -> bool:
        """Go to what comes next; False at the end of the text."""
        match = _BLANK.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at < len(self._text)

    def _header(self, *, array: bool) -> Path:
        start = self._at
        keys = self._keys()
        path: Path = ()
        for number, key in enumerate(keys):
            path = (*path, key)
            last = number == len(keys) - 1
            if path in self._sizes and not (array and last):
                path = (*path, self._sizes[path] - 1)
        if array:
            self._mark(path, start, self._at)
            self._sizes[path] = self._sizes.get(path, 0) + 1
            path = (*path, self._sizes[path] - 1)
        self._mark(path, start, self._at)
        return path

    def _pair(self, table: Path) -> None:
        start = self._at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._mark(path, start, self._at)
        self._skip()
        self._at += 1  # =
        self._skip()
        self._value(path)

    def _keys(self) -> list[str]:
        """A dotted key, and the blanks after it."""
        keys = []
        while True:
            self._skip()
            bare = _BARE_KEY.match(self._text, self._at)
            match = bare or _STRING.match(self._text, self._at)
            if match is None:
                raise ValueError(f"no key at offset {self._at}")
            keys.append(match[0] if bare else str(loads(f"key = {match[0]}")["key"]))
            end = self._at = match.end()
            self._skip()
            if not self._text.startswith(".", self._at):
                self._at = end
                return keys
            self._at += 1

    def _value(self, path: Path) -> None:
        if self._text[self._at] == "[":
            self._at += 1
            number = 0
            while self._inside("]"):
                start = self._at
                self._value((*path, number))
                self._mark((*path, number), start, self._at)
                number += 1
        elif self._text[self._at] == "{":
            self._at += 1
            while self._inside("}"):
                self._pair(path)
        else:
            match = _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at)
            if match is None:
                raise ValueError(f"no value at offset {self._at}")
            self._at = match.end()

    def _inside(self, end: str) -> bool:
        """Go past a comma to the next element; False, and past the end, where there is none."""
        self._skip()
        if self._text[self._at] == ",":
            self._at += 1
            self._skip()
        if self._text[self._at] == end:
            self._at += 1
            return False
        return True

    def _mark(self, path: Path, start: int, end: int) -> None:
        row = bisect_right(self._starts, start) - 1
        first = start - self._starts[row]
        following = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self._text)
        last = min(end, following) - self._starts[row]
        self.found.setdefault(path, Position(row + 1, first + 1, last + 1))
