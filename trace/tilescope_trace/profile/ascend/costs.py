"""What each instruction of a simulated kernel takes, summed over the cores that run it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tilescope_trace.profile.model import Frames, InstructionSamples, Samples, SampleUnit

_SETTER = re.compile(r"(?:PIPE|pipe_type):([A-Za-z0-9]+)")
WAITS = ("WAIT_FLAG", "wait_event")


@dataclass(slots=True)
class Cost:
    """What one instruction takes: ``amount`` in all, of it ``stalls`` by their reason; fractions of the unit, because
    a simulated cycle is half a nanosecond."""

    text: str
    frames: Frames
    amount: float = 0.0
    executed: int = 0
    stalls: dict[str, float] = field(default_factory=dict)

    def stalled(self, reason: str, amount: float) -> None:
        """``amount`` of what it takes is a wait."""
        self.stalls[reason] = self.stalls.get(reason, 0.0) + amount


def samples_of(costs: Mapping[int, Cost], kernel: str, launch: int, unit: SampleUnit) -> Samples | None:
    """Instructions with their costs by address, None where there is none. Addresses count from the lowest one seen:
    where the kernel begins is not told."""
    if not costs:
        return None
    lowest = min(costs)
    instructions = tuple(
        InstructionSamples(
            address=address - lowest,
            text=cost.text,
            samples=round(cost.amount),
            stalls={reason: round(amount) for reason, amount in cost.stalls.items()},
            executed=cost.executed,
            frames=cost.frames,
        )
        for address, cost in sorted(costs.items())
    )
    stalls: Counter[str] = Counter()
    for instruction in instructions:
        stalls.update(instruction.stalls)
    total = sum(instruction.samples for instruction in instructions)
    return Samples(kernel, launch, total, unit, dict(stalls), instructions)


def waited_for(detail: str) -> str:
    """The reason of a wait by the pipe that sets the flag: ``PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:0,`` waits for MTE2."""
    found = _SETTER.search(detail)
    return f"wait_for_{found[1]}" if found else "wait_for_flag"
