"""What a kernel accesses as its author wrote it, with verdicts: in bounds, initialised, free of races, covered."""

from __future__ import annotations

from .read import Accesses, read

__all__ = ["Accesses", "read"]
