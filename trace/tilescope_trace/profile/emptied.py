"""Ranges around tile operations that the compiler moved away.

``iket.range("load")`` around a T.copy in a pipelined loop measures nothing in the consumer's warps once warp
specialization has moved the copy to the producer's: the range is still there, and empty.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from .model import NONE, Profile
from .recorded import RecordedKernel

LIFETIME = "lifetime of the warp"
"""Name of slices that hold a warp's whole life, which are no ranges."""
MARK = "mark"
"""Start of the detail of slices that are moments by intent."""

_STEP_NS = 32
"""globaltimer of recent NVIDIA GPUs advances in steps of 32 ns: measured on an H200, also in IKET's times."""
_LEAST = 8
"""Fewer occurrences prove nothing."""


@dataclass(frozen=True)
class EmptiedRange:
    """A range of one launch with nothing between its ends, as far as the clock tells; so many ``warps`` have it."""

    name: str
    launch: int
    count: int
    warps: int
    median_ns: int
    longest_ns: int

    @property
    def measured(self) -> str:
        """What the profile says, as a clause."""
        return (
            f'"{self.name}" is empty: {self.count} ranges in {self.warps} warps, median {self.median_ns} ns, longest '
            f"{self.longest_ns} ns, while the clock has steps of {_STEP_NS} ns"
        )

    @property
    def message(self) -> str:
        """What a reader must know without a recording of the kernel."""
        return (
            f"{self.measured}. Either what it was put around is so short, or these warps do not execute it: warp "
            "specialization moves the copies of a pipelined loop to the producer's warps and leaves the range with "
            "the consumer's"
        )

    def explained(self, kernel: RecordedKernel) -> str:
        """The same with what the recording of the kernel tells."""
        where = kernel.path.name
        if not kernel.warp_specialized:
            return f"{self.measured}. {where} is not warp-specialized: what the range was put around takes less"
        lines = [str(line) for line in kernel.producer_lines]
        moved = f"what {'line' if len(lines) == 1 else 'lines'} {', '.join(lines)} say" if lines else "copying"
        return (
            f"{self.measured}. {where} is warp-specialized: {moved} runs in the producer's warps, and the range "
            "stayed with the consumer's. tilescope profile measures both sides"
        )


def emptied_ranges(profile: Profile) -> tuple[EmptiedRange, ...]:
    """Ranges of warps whose longest occurrence is one step of the clock, in the order they first appear."""
    durations: dict[tuple[int, int], list[int]] = defaultdict(list)
    lanes: dict[tuple[int, int], set[int]] = defaultdict(set)
    slices = profile.slices
    for index in range(len(slices)):
        launch = slices.launch[index]
        detail = slices.detail[index]
        if detail != NONE and profile.texts[detail].startswith(MARK):
            continue
        if launch == NONE or profile.lanes[slices.lane[index]].kind != "warp":
            continue
        key = (launch, slices.name[index])
        durations[key].append(slices.duration_ns[index])
        lanes[key].add(slices.lane[index])
    return tuple(
        EmptiedRange(
            profile.texts[name], launch, len(found), len(lanes[launch, name]), round(median(found)), max(found)
        )
        for (launch, name), found in durations.items()
        if len(found) >= _LEAST and max(found) <= _STEP_NS and profile.texts[name] != LIFETIME
    )
