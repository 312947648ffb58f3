"""What is said of a pass."""

from __future__ import annotations

from dataclasses import dataclass

EVERY = ("cuda", "hip", "metal", "webgpu", "c", "ascend")
"""The pipelines of TileLang 0.1.15, by the first part of our target names."""


@dataclass(frozen=True)
class PassInfo:
    """A pass by its full ``name``; ``purpose`` says what it is for, ``pipelines`` which targets run it, ``when`` what
    must hold for it to run there, empty where it always does."""

    name: str
    purpose: str
    pipelines: tuple[str, ...] = EVERY
    when: str = ""
