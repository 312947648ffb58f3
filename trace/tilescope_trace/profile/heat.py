"""Where a recorded kernel spends its time, by line of Python and of generated source: what is laid
beside them in editors and in the browser."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from tilescope_trace.model import Origin
from tilescope_trace.store.read import Recording

from .attribute import Attribution, Weight
from .correlate import Join
from .model import NONE, Place, Profile
from .placed import Placed
from .stalls import is_wait, top_stall
from .verdict.gather import Joined


@dataclass(frozen=True)
class Hot:
    """``share`` (0 to 1) of the kernel's time on one line; ``why`` is what it mostly waits for, None where that was
    not measured or is nothing."""

    share: float
    why: str | None = None

    @property
    def share_text(self) -> str:
        """``46 %``."""
        return "<1 %" if 0 < self.share < 0.005 else f"{self.share * 100:.0f} %"

    def __str__(self) -> str:
        return f"{self.share_text} · {self.why}" if self.why else self.share_text


@dataclass(frozen=True)
class Heat:
    """``of`` says in words what shares are of: samples, cycles of instructions, time of sampled warps. ``unplaced``
    is the share that no Python line has."""

    of: str
    python: Mapping[Origin, Hot]
    generated: Mapping[int, Hot]
    unplaced: float


def from_samples(found: Attribution) -> Heat | None:
    """Of samples that were attributed; None where none reached a Python line."""
    if not found.python or not found.total:
        return None
    what = "samples" if found.unit == "samples" else f"{found.unit} of instructions"
    return Heat(
        of=f"{found.total:,} {what}",
        python={origin: _hot(found, weight) for origin, weight in found.python.items()},
        generated={line: _hot(found, weight) for line, weight in found.generated.items()},
        unplaced=found.unplaced_share,
    )


def _hot(found: Attribution, weight: Weight) -> Hot:
    return Hot(found.share(weight), reason_words(weight.top_stall))


def reason_words(stall: str | None) -> str | None:
    """A stall reason for a reader: ``barrier`` for ``stall_barrier``."""
    return stall.removeprefix("stall_").replace("_", " ") if stall else None


def from_slices(profile: Profile, joins: Iterable[Join], recording: Recording) -> Heat | None:
    """Of the time of slices whose Python line is known, in launches of the recorded kernel: of clock stamps, and of
    simulated instructions. None where there are none."""
    own = {
        index
        for index, join in enumerate(joins)
        if join.recording is not None and join.recording.path == recording.path
    }
    files = {Path(source.path).name: source.path for source in recording.sources()}
    spent: dict[int, Counter[str]] = defaultdict(Counter)
    columns, total = profile.slices, 0
    for place, launch, name, duration in zip(
        columns.place, columns.launch, columns.name, columns.duration_ns, strict=True
    ):
        if place != NONE and launch in own:
            spent[place][profile.texts[name]] += duration
            total += duration
    python: dict[Origin, Counter[str]] = defaultdict(Counter)
    generated: dict[int, Counter[str]] = defaultdict(Counter)
    for place, kinds in spent.items():
        origin, line = _lines(profile.places[place], files)
        if origin is not None:
            python[origin].update(kinds)
        if line is not None:
            generated[line].update(kinds)
    if not python or not total:
        return None
    placed = sum(kinds.total() for kinds in python.values())
    return Heat(
        of="time of sampled warps" if any(lane.kind == "warp" for lane in profile.lanes) else "time of instructions",
        python={origin: _mostly(kinds, total) for origin, kinds in python.items()},
        generated={line: _mostly(kinds, total) for line, kinds in generated.items()},
        unplaced=1 - placed / total,
    )


def _mostly(kinds: Counter[str], total: int) -> Hot:
    """``wait`` where a line mostly waits."""
    waits = {name: time for name, time in kinds.items() if is_wait(name)}
    spent = kinds.total()
    return Hot(spent / total, top_stall(waits) if sum(waits.values()) * 2 > spent else None)


def _lines(frames: tuple[Place, ...], files: Mapping[str, str]) -> tuple[Origin | None, int | None]:
    python = next((place for place in reversed(frames) if Path(place.file).name in files), None)
    other = next((place.line for place in frames if place.file.startswith("<generated")), None)
    return (Origin(files[Path(python.file).name], python.line) if python else None), other


def heat_of(found: Sequence[Joined], recording: Recording) -> Heat | None:
    """Of the recorded kernel out of several profiles: samples tell more than times of warps, and of several the one
    that places most."""
    samples = (from_samples(one.attribution) for each in found for one in each.placed if _is_of(one, recording))
    return _fullest(samples) or _fullest(from_slices(one.profile, one.joins, recording) for one in found)


def _is_of(placed: Placed | None, recording: Recording) -> TypeGuard[Placed]:
    return placed is not None and placed.recording is recording


def _fullest(found: Iterable[Heat | None]) -> Heat | None:
    return min((heat for heat in found if heat is not None), key=lambda heat: heat.unplaced, default=None)
