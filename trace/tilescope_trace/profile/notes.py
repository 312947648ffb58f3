"""What a reader of a profile must know beside its own notes: samples that lie on no line, ranges explained."""

from __future__ import annotations

from collections.abc import Sequence

from .correlate import Join
from .emptied import emptied_ranges
from .model import Note, Profile
from .placed import Placed

UNJOINED = "samples of {kernel} are on no line: with the recording of the kernel (--recording) Python lines are told"


def notes_of(profile: Profile, joins: Sequence[Join], placed: Sequence[Placed | None]) -> list[Note]:
    """Notes of a profile whose launches are joined (or not) and whose samples are ``placed`` where they are."""
    return [
        *_notes(profile, joins),
        *(note for one in placed if one is not None for note in _unplaced(one)),
        *_unjoined(profile, placed),
    ]


def _notes(profile: Profile, joins: Sequence[Join]) -> list[Note]:
    """The profile's own, better explained where a launch is joined with its recording."""
    better = {
        found.message: found.explained(kernel)
        for found in (emptied_ranges(profile) if joins else ())
        if (kernel := joins[found.launch].recording) is not None
    }
    return [Note(better.get(note.message, note.message), note.subject) for note in profile.notes]


def _unplaced(one: Placed) -> list[Note]:
    found = one.attribution
    return [
        Note(f"{count / found.total:.1%} of the samples of {found.kernel} are on no Python line: {reason}")
        for reason, count in found.unplaced.items()
    ]


def _unjoined(profile: Profile, placed: Sequence[Placed | None]) -> list[Note]:
    """Kernels with samples of instructions that nothing carries to a line."""
    known = {id(one.samples) for one in placed if one is not None}
    kernels = dict.fromkeys(
        one.kernel for one in profile.samples if one.instructions and not one.lines and id(one) not in known
    )
    return [Note(UNJOINED.format(kernel=kernel)) for kernel in kernels]
