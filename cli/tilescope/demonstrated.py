"""The result of `tilescope demo`, for its JSON and the schema of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tilescope_trace.model import Kernel


@dataclass(frozen=True)
class Demonstrated:
    """One recorded kernel: ``recording`` is the path of its file."""

    recording: str
    status: Literal["ok", "failed", "incomplete"]
    kernel: Kernel
