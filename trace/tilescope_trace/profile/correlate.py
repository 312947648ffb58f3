"""Which recorded compile each launch of a profile is of, and why.

An annotation that names a compile decides alone; without one name, grid, block, shared memory and registers are
compared. Of several recordings of one compile the newest is taken. Where several fit otherwise, that is said, with
the one that the order of launches suggests in front; it is never taken for the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .annotations import COMPILE_PREFIX, compile_named
from .compared import Compared, compared, name_fits
from .model import Launch, Profile
from .recorded import RecordedKernel

Match = Literal["exact", "unique", "ambiguous", "none"]


@dataclass(frozen=True)
class Join:
    """What a launch was joined with: one recording for ``exact`` and ``unique``, the possible ones for ``ambiguous``,
    none for ``none``. ``reason`` is a sentence for a reader."""

    match: Match
    reason: str
    recordings: tuple[RecordedKernel, ...] = ()

    @property
    def recording(self) -> RecordedKernel | None:
        """The recording, where it is sure which."""
        return self.recordings[0] if self.match in ("exact", "unique") else None


def correlate(profile: Profile, recordings: Sequence[RecordedKernel]) -> tuple[Join, ...]:
    """A join for each launch of the profile, in their order."""
    known: dict[Hashable, Join] = {}
    joins = []
    for launch in profile.launches:
        key = _key(launch)
        if key not in known:
            known[key] = _join(launch, recordings)
        joins.append(known[key])
    return _with_order(profile.launches, joins)


def _key(launch: Launch) -> Hashable:
    """Everything that a join depends on: launches that are alike are joined once."""
    return (
        launch.name, launch.grid, launch.block, launch.dynamic_shared_bytes, launch.shared_bytes, launch.registers,
        compile_named(launch.annotation),
    )  # fmt: skip


def _join(launch: Launch, recordings: Sequence[RecordedKernel]) -> Join:
    named = compile_named(launch.annotation)
    same = tuple(one for one in recordings if named is not None and one.compile_id == named)
    if same:
        return Join(
            "exact", f"its annotation {COMPILE_PREFIX}{named} names this compile{_newest_of(same)}", (_newest(same),)
        )
    if named is None:
        return _by_facts(launch, recordings)
    # A recording with its generated source is of that compile and no other, however well it fits.
    words = f"no recording is of the compile {named} that its annotation names"
    found = _by_facts(launch, [one for one in recordings if one.compile_id is None])
    if found.match != "none":
        return replace(found, reason=f"{words}; {found.reason}")
    near = _by_facts(launch, recordings)
    return Join("none", words if near.match == "none" else f"{words}; of another compile {near.reason}")


def _by_facts(launch: Launch, recordings: Sequence[RecordedKernel]) -> Join:
    if not launch.name:
        return _unnamed(launch, recordings)
    facts = [(one, compared(launch, one)) for one in recordings if name_fits(launch, one)]
    if not facts:
        return Join("none", f"no recording has a kernel {launch.name}")
    left = [(one, found) for one, found in facts if all(fact.fits is not False for fact in found)]
    if not left:
        return Join("none", "; ".join(f"{one.path.name}: {_difference(found)}" for one, found in facts))
    surer = [(one, found) for one, found in left if any(fact.fact == "shared memory" for fact in found if fact.fits)]
    left = surer or left
    words, recordings = _agreement(left[0][1]), tuple(one for one, _ in left)
    if len(left) > 1 and _one_compile(recordings):
        return Join("unique", words + _newest_of(recordings), (_newest(recordings),))
    if len(left) > 1:
        return Join("ambiguous", f"{words}; {_listed(recordings)} are alike in that", recordings)
    alone = f"; of {len(facts)} recordings with that name in this one only" if len(facts) > 1 else ""
    return Join("unique", words + alone, recordings)


def _one_compile(recordings: Sequence[RecordedKernel]) -> bool:
    """Whether all hold the same generated source: then it makes no difference which one a launch is joined with."""
    return recordings[0].compile_id is not None and len({one.compile_id for one in recordings}) == 1


def _newest(recordings: Sequence[RecordedKernel]) -> RecordedKernel:
    return max(recordings, key=lambda one: (one.created, str(one.path)))


def _newest_of(recordings: Sequence[RecordedKernel]) -> str:
    return f"; {_listed(recordings)} hold the same compile, this is the newest" if len(recordings) > 1 else ""


def _unnamed(launch: Launch, recordings: Sequence[RecordedKernel]) -> Join:
    """Ascend's simulator does not name the kernel where it ran only one: whoever gives one recording means that."""
    why = "the profile does not name its kernel"
    left = tuple(one for one in recordings if one.is_ascend and _contradicts_nothing(launch, one))
    if not left:
        return Join("none", f"{why}, and no recording for Ascend can be meant")
    if len(left) > 1:
        return Join("ambiguous", f"{why}: {_listed(left)} can be meant", left)
    return Join("unique", f"{why}; of the recordings given only {left[0].path.name} can be meant", left)


def _contradicts_nothing(launch: Launch, kernel: RecordedKernel) -> bool:
    return all(fact.fits is not False for fact in compared(launch, kernel))


def _difference(facts: Iterable[Compared]) -> str:
    return next(f"other {fact.fact}, {fact.words}" for fact in facts if fact.fits is False)


def _agreement(facts: Sequence[Compared]) -> str:
    """``name, grid (n from 385 to 512) and block fit; registers could not be compared (not recorded)``."""
    fitting = ["name", *(fact.fact + (f" ({fact.words})" if fact.words else "") for fact in facts if fact.fits)]
    text = f"{', '.join(fitting[:-1])} and {fitting[-1]} fit" if len(fitting) > 1 else "the name fits"
    open_questions: dict[str, list[str]] = {}
    for fact in facts:
        if fact.fits is None:
            open_questions.setdefault(fact.words, []).append(fact.fact)
    for why, names in open_questions.items():
        text += f"; {', '.join(names)} could not be compared ({why})"
    return text


def _listed(recordings: Sequence[RecordedKernel]) -> str:
    names = [one.path.name for one in recordings]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _with_order(launches: Sequence[Launch], joins: Sequence[Join]) -> tuple[Join, ...]:
    """Ambiguous joins with the recording in front that the order suggests: as many launches, in time, for each
    recording, in the order they were made. Only where that comes out even."""
    result = list(joins)
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for index, join in enumerate(joins):
        if join.match == "ambiguous":
            groups[frozenset(str(one.path) for one in join.recordings)].append(index)
    for indices in groups.values():
        times = [launches[index].start_ns for index in indices]
        count = len(joins[indices[0]].recordings)
        if None in times or len(indices) % count:
            continue
        made = sorted(joins[indices[0]].recordings, key=lambda one: (one.created, str(one.path)))
        if len({one.created for one in made}) < count:
            continue
        each = len(indices) // count
        for place, index in enumerate(sorted(indices, key=lambda index: launches[index].start_ns or 0)):
            first = made[place // each]
            others = tuple(one for one in joins[index].recordings if one is not first)
            reason = f"{joins[index].reason}; the order of launches suggests {first.path.name}"
            result[index] = replace(joins[index], reason=reason, recordings=(first, *others))
    return tuple(result)
