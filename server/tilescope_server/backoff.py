"""How long to wait before something that failed is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_SECONDS = 0.25
LONGEST_SECONDS = 30.0
CALM_SECONDS = 60.0
"""After that long without a failure, the next one counts as the first again."""


class Backoff:
    """Each failure doubles the wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._last: float | None = None

    def failed(self) -> float:
        """Note a failure; the seconds to wait before the next try."""
        now = self._clock()
        if self._last is not None and now - self._last > CALM_SECONDS + self.seconds:
            self._failures = 0
        self._failures += 1
        self._last = now
        return self.seconds

    @property
    def seconds(self) -> float:
        """The wait after the last failure."""
        return min(FIRST_SECONDS * 2.0 ** max(self._failures - 1, 0), LONGEST_SECONDS)

    @property
    def remaining(self) -> float:
        """The seconds of that wait that are left."""
        return 0.0 if self._last is None else max(0.0, self._last + self.seconds - self._clock())
