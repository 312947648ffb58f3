"""Statement deletion: lower again without some of the suspects and see whether the failure goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal

from .candidates import Candidate

Outcome = Literal["gone", "same", "other"]
"""What became of a failure: the compiler came past it, failed alike, or failed in another way before."""

LOWERINGS = 6
SECONDS = 20.0
"""CPU time: a busy machine finds no other places."""


class Budget:
    """How often, and for how long, a failing kernel may be lowered again."""

    def __init__(self, lowerings: int = LOWERINGS, seconds: float = SECONDS) -> None:
        self.used = 0
        self._lowerings = lowerings
        self._end = time.process_time() + seconds

    def take(self) -> bool:
        """Whether one more lowering may be made, which then counts."""
        if self.used >= self._lowerings or time.process_time() > self._end:
            return False
        self.used += 1
        return True


def narrow(
    suspects: Sequence[Candidate], attempt: Callable[[Sequence[Candidate]], Outcome], budget: Budget
) -> tuple[tuple[Candidate, ...], bool | None]:
    """(the suspects that are left, whether the failure goes with exactly these); None where that is not known.

    ``attempt`` lowers without the given statements. Statements of one line are left out together.
    """
    groups = _by_line(suspects)
    confirmed: bool | None = None
    while len(groups) > 1:
        half, rest = groups[: len(groups) // 2], groups[len(groups) // 2 :]
        outcome = _try(half, attempt, budget)
        if outcome == "gone":
            groups, confirmed = half, True
            continue
        if outcome == "other":
            # Nothing is known yet: what is left without one half may fail for want of it.
            outcome = _try(rest, attempt, budget)
            if outcome == "gone":
                groups, confirmed = rest, True
                continue
            half, rest = rest, half
        if outcome != "same":
            return _flat(groups), None
        groups, confirmed = rest, None
    if groups and confirmed is None:
        confirmed = {"gone": True, "same": False}.get(_try(groups, attempt, budget) or "")
    return _flat(groups), confirmed


def _try(
    groups: list[list[Candidate]], attempt: Callable[[Sequence[Candidate]], Outcome], budget: Budget
) -> Outcome | None:
    return attempt(_flat(groups)) if budget.take() else None


def _by_line(suspects: Sequence[Candidate]) -> list[list[Candidate]]:
    groups: dict[object, list[Candidate]] = {}
    for candidate in suspects:
        groups.setdefault(candidate.where, []).append(candidate)
    return list(groups.values())


def _flat(groups: list[list[Candidate]]) -> tuple[Candidate, ...]:
    return tuple(candidate for group in groups for candidate in group)
