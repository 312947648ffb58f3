"""Which pass of one recording is which of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import cast

from rapidfuzz.distance import Indel

from tilescope_passdiff import lines
from tilescope_passdiff.diff import diff_texts
from tilescope_passdiff.normalise import Key, with_launch_names
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from .model import Divergence, Outcome, PassPair, TextDiff
from .texts import Texts, alike, key, shape


def pairs(a: Recording, b: Recording, texts: Texts) -> tuple[PassPair, ...]:
    """The passes of both in order, paired by name so that the fewest stay alone."""
    return tuple(_pair(one, other, texts) for one, other in _aligned(a.passes, b.passes))


def first_divergence(a: Recording, b: Recording, aligned: tuple[PassPair, ...], texts: Texts) -> Divergence | None:
    """The first pass behind which the two are not the same; None for two that never differ."""
    return _first(a, b, (pair for pair in aligned if pair.outcome != "same"), texts.same, key)


def first_structural(a: Recording, b: Recording, aligned: tuple[PassPair, ...], texts: Texts) -> Divergence | None:
    """The first pass behind which the two differ in more than constants."""
    return _first(a, b, (pair for pair in aligned if pair.outcome not in ("same", "constants")), texts.alike, shape)


def _first(
    a: Recording, b: Recording, differing: Iterable[PassPair], same: Callable[[str, str], bool], compared_by: Key
) -> Divergence | None:
    for pair in differing:
        if pair.a is not None and pair.b is not None:
            if pair.a.before and pair.b.before and not same(pair.a.before, pair.b.before):
                return Divergence(pair.a, pair.b, "input", _between(a, pair.a.before, b, pair.b.before, compared_by))
            return Divergence(pair.a, pair.b, "output", _between(a, pair.a.after, b, pair.b.after, compared_by))
        recording, record = (a, pair.a) if pair.a is not None else (b, pair.b)
        assert record is not None
        if record.changed or record.status == "failed":
            diff = _between(recording, record.before, recording, record.after, compared_by)
            return Divergence(pair.a, pair.b, "only-a" if pair.a is not None else "only-b", diff)
    return None


def text_diff(before: str, after: str, compared_by: Key | None = None) -> TextDiff:
    """The diff of two texts."""
    old, new = lines.split(before), lines.split(after)
    diff = diff_texts(old, new, key=compared_by)
    return TextDiff(diff.insertions, diff.deletions, diff.hunks, bool(diff.hunks) and alike(old, new))


def _aligned(
    a: tuple[PassRecord, ...], b: tuple[PassRecord, ...]
) -> Iterator[tuple[PassRecord | None, PassRecord | None]]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(record.name for record in chain(a, b)))}
    old, new = ([numbers[record.name] for record in side] for side in (a, b))
    steps = cast("list[tuple[str, int, int, int, int]]", Indel.opcodes(old, new).as_list())
    for tag, start, end, other_start, other_end in steps:
        if tag == "equal":
            yield from zip(a[start:end], b[other_start:other_end], strict=True)
        else:
            yield from ((record, None) for record in a[start:end])
            yield from ((None, record) for record in b[other_start:other_end])


def _pair(a: PassRecord | None, b: PassRecord | None, texts: Texts) -> PassPair:
    if a is None or b is None:
        return PassPair(a, b, "only-b" if a is None else "only-a")
    if a.after is None or b.after is None:
        return PassPair(a, b, "same" if a.after == b.after and a.error == b.error else "differs")
    return PassPair(a, b, _outcome(a, a.after, b, b.after, texts))


def _outcome(a: PassRecord, from_a: str, b: PassRecord, from_b: str, texts: Texts) -> Outcome:
    if texts.same(from_a, from_b):
        return "same"
    if texts.alike(from_a, from_b):
        return "constants"
    return "follows" if texts.changed_alike(a, b) else "differs"


def _between(a: Recording, before: str | None, b: Recording, after: str | None, compared_by: Key) -> TextDiff:
    old, new = (
        with_launch_names(recording.text(name)) if name else "" for recording, name in ((a, before), (b, after))
    )
    return text_diff(old, new, compared_by)
