"""One of several equal parts of a run, for as many machines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilescope_trace.errors import UsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Shard:
    """Part ``number`` (1-based) of ``count``."""

    number: int
    count: int

    def of(self, items: Sequence[T]) -> tuple[T, ...]:
        """Every ``count``-th item, from the ``number``-th: the parts of a sorted list differ by one item at most."""
        return tuple(items[self.number - 1 :: self.count])


def parse_shard(text: str) -> Shard:
    """``2/4`` is the second of four parts. Raises UsageError for anything else."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if match and 1 <= int(match[1]) <= int(match[2]):
        return Shard(int(match[1]), int(match[2]))
    raise UsageError(f"--shard {text}: expected I/N with 1 ≤ I ≤ N, for example --shard 1/4")
