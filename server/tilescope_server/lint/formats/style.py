"""A terminal's colours, where they are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_trace.model import Severity

_CODES = {"error": "1;31", "warning": "1;33", "info": "1;34"}


@dataclass(frozen=True)
class Style:
    """Marks text for a terminal; leaves it as it is where ``colour`` is False."""

    colour: bool

    def bold(self, text: str) -> str:
        return self._in("1", text)

    def frame(self, text: str) -> str:
        return self._in("2", text)

    def severity(self, severity: Severity, text: str) -> str:
        return self._in(_CODES[severity], text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text
