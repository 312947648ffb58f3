"""How long launches take, by events around them.

The first launch of a kernel is left out (it loads the machine code). In front of each timed one a buffer larger than
the L2 cache is written: the device is busy with it until the launch has arrived, so that the time between the events
is the kernel's alone, and each launch finds the cache in the same state.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .driver import Driver, DriverError

TIMED = 40
"""Launches that are timed of each kernel; later ones are left alone."""
SCRATCH_BYTES = 256 << 20


class Timer:
    """Times the launches of one kernel."""

    def __init__(self, driver: Driver, scratch: int | None) -> None:
        self.launches = 0
        self._driver = driver
        self._scratch = scratch
        self._marks: list[tuple[ctypes.c_void_p, ctypes.c_void_p]] = []

    def run(self, launch: Callable[[], Any], stream: int) -> Any:
        """What ``launch`` returns. A failure of the driver's only costs the time of this launch."""
        self.launches += 1
        marks = None
        if self.launches > 1 and len(self._marks) < TIMED:
            with suppress(DriverError):
                marks = self._driver.event(), self._driver.event()
                if self._scratch is not None:
                    self._driver.clear(self._scratch, SCRATCH_BYTES, stream)
                self._driver.mark(marks[0], stream)
        result = launch()
        if marks is not None:
            with suppress(DriverError):
                self._driver.mark(marks[1], stream)
                self._marks.append(marks)
        return result

    def times_us(self) -> list[float]:
        """Of the timed launches, in order; waits for them."""
        return [round(self._driver.microseconds(start, end), 3) for start, end in self._marks]
