"""A fact as told, beside another way to get at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Claim:
    """``kind`` is what sort of fact it is (``launch.grid``), ``about`` which one. ``derived`` gets at it by another
    road; it may return a OneOf where that road leaves a choice."""

    kind: str
    about: str
    told: Any
    derived: Callable[[], Any]


@dataclass(frozen=True)
class OneOf:
    """Any of these values agrees."""

    values: frozenset[Any]

    def __eq__(self, other: object) -> bool:
        return other in self.values if not isinstance(other, OneOf) else self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)


@dataclass(frozen=True)
class Between:
    """Any number from ``low`` to ``high`` agrees: bounds, where there is no other road to the number itself."""

    low: float
    high: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, float)) and self.low <= other <= self.high

    def __hash__(self) -> int:
        return hash((self.low, self.high))
