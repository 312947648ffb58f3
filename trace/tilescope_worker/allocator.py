"""How the C library keeps memory that was freed."""

from __future__ import annotations

import contextlib
import ctypes
import sys

KEPT_BYTES = 64 << 20
"""Freed memory that a process keeps for what it allocates next. Lowering a GEMM takes and frees 17 MB, mostly for
Z3: given back, its 4,000 pages are asked for again with each edit, a tenth of the time to layouts."""
LARGEST_KEPT_BYTES = 32 << 20
"""The most that glibc allows for a single block."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt (malloc.h)."""


def keep_freed() -> None:
    """Keep freed memory where the C library is glibc, and change nothing elsewhere."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(_TRIM_THRESHOLD, KEPT_BYTES)
            mallopt(_MMAP_THRESHOLD, LARGEST_KEPT_BYTES)
