"""The error for a profile that cannot be read."""

from __future__ import annotations

from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_worker.printable import one_line

_LONGEST = 1 << 13
"""Characters of a message: more than the longest path and what is said of it."""


class ProfileError(UsageError):
    """A wrong, truncated, damaged or empty profile: names the file, the place in it where known, and what was
    expected there, in one line that a terminal does not act on: what is quoted comes from the file."""

    def __init__(self, path: Path | str, problem: str, expected: str, place: str = "") -> None:
        """``problem`` is what was found (a clause), ``expected`` what should stand there (a noun phrase), ``place``
        where (``line 12``, ``byte 1024``, ``table TASK``)."""
        where = f"{path}, {place}" if place else str(path)
        super().__init__(one_line(f"{where}: {problem}; expected {expected}", _LONGEST))
        self.path, self.problem, self.expected, self.place = Path(path), problem, expected, place
