"""What comparing two recordings gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tilescope_passdiff.diff import DiffHunk
from tilescope_trace.differences import Difference
from tilescope_trace.model import Json, PassRecord

Outcome = Literal["same", "constants", "follows", "differs", "only-a", "only-b"]


@dataclass(frozen=True)
class EnvironmentDifference:
    """Something that the two were recorded with and that is not the same: versions, target, arguments, pass configs,
    compile flags, sources. None where one has none."""

    name: str
    a: Json
    b: Json


@dataclass(frozen=True)
class PassPair:
    """A pass of each recording, or of one only. ``outcome`` compares what came out of it, renumbered names and the
    target's description counting as the same: ``constants`` where only numbers differ, as extents and offsets do;
    ``follows`` where more does, but the pass itself did the same to both, constants apart; else ``differs``."""

    a: PassRecord | None
    b: PassRecord | None
    outcome: Outcome


@dataclass(frozen=True)
class TextDiff:
    """The diff of two texts; ``constants`` is whether they differ in nothing but numbers."""

    insertions: int
    deletions: int
    hunks: tuple[DiffHunk, ...]
    constants: bool


@dataclass(frozen=True)
class Divergence:
    """The first pass behind which the two are not the same.

    ``where`` is ``input`` where they were not before it either, ``output`` where a pass of both made other things of
    the same, ``only-a`` or ``only-b`` where one of the two alone ran the pass. The diff is from a to b; that of a
    pass of one side from its input to its output."""

    a: PassRecord | None
    b: PassRecord | None
    where: Literal["input", "output", "only-a", "only-b"]
    diff: TextDiff


@dataclass(frozen=True)
class Comparison:
    """``same`` is whether the compiler made the same of both: passes, texts, layouts and generated source. What they
    were recorded with may still differ. ``first_structural`` is the first pass behind which they differ in more than
    constants, with a diff that leaves these out; None where there is none. ``facts`` are those that are no buffer's.
    ``generated`` is None where neither has any source."""

    same: bool
    environment: tuple[EnvironmentDifference, ...]
    passes: tuple[PassPair, ...]
    first_divergence: Divergence | None
    first_structural: Divergence | None
    buffers: tuple[Difference, ...]
    facts: tuple[Difference, ...]
    generated: TextDiff | None
