"""Texts stored once: every distinct line has a number, a text is a list of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilescope_passdiff.render.terminal.controls import visible

_TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C], 0xFFFD)
"""Characters that turn the direction of text around: code would not be what it looks like."""


def shown(text: str) -> str:
    """``text`` with each control character as one character that shows it; no character more or less."""
    return visible(text).translate(_TURNING)


class LinePool:
    """Numbers lines in the order in which they come, so that a new text is a run of new numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, lines: Iterable[str]) -> list[int]:
        """The lines as runs of following numbers: first number, count, first number, count ..."""
        runs: list[int] = []
        for line in lines:
            number = self._numbers.setdefault(shown(line), len(self._numbers))
            if runs and number == runs[-2] + runs[-1]:
                runs[-1] += 1
            else:
                runs += (number, 1)
        return runs

    @property
    def lines(self) -> Sequence[str]:
        """All lines by number."""
        return list(self._numbers)


def utf16(line: str, column: int) -> int:
    """The offset ``column`` (0-based, code points) in UTF-16 code units, which browsers count."""
    return column if line.isascii() else len(line[:column].encode("utf-16-le", "surrogatepass")) // 2
