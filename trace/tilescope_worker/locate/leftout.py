"""What a kernel was compiled without."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOut:
    """Statements that a kernel was elaborated without: their first ``lines``, and the ``names`` that they mention."""

    lines: tuple[int, ...]
    names: frozenset[str]
