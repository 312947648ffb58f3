"""Which pass of one recording is which of the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import cast

from rapidfuzz.distance import Indel

from tilescope_passdiff import lines
from tilescope_passdiff.diff import diff_texts
from tilescope_passdiff.normalise import Key, with_launch_names, without_numbers
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

from .model import Divergence, PassPair, TextDiff

_TARGET = re.compile(r"T\.target\(\{.*?\}\)")


def key(line: str) -> str:
    """What lines are compared by: names without numbers, and without the target, which is part of the environment."""
    return _TARGET.sub("T.target()", without_numbers(line)) if "T.target(" in line else without_numbers(line)


def pairs(a: Recording, b: Recording) -> tuple[PassPair, ...]:
    """The passes of both in order, paired by name so that the fewest stay alone."""
    same = _same(a, b)
    return tuple(_pair(one, other, same) for one, other in _aligned(a.passes, b.passes))


def first_divergence(a: Recording, b: Recording, aligned: tuple[PassPair, ...]) -> Divergence | None:
    """The first pass behind which the two are not the same; None for two that never differ."""
    same = _same(a, b)
    for pair in aligned:
        if pair.outcome == "same":
            continue
        if pair.a is not None and pair.b is not None:
            if pair.a.before and pair.b.before and not same(pair.a.before, pair.b.before):
                return Divergence(pair.a, pair.b, "input", _between(a, pair.a.before, b, pair.b.before))
            return Divergence(pair.a, pair.b, "output", _between(a, pair.a.after, b, pair.b.after))
        recording, record = (a, pair.a) if pair.a is not None else (b, pair.b)
        assert record is not None
        if record.changed or record.status == "failed":
            diff = _between(recording, record.before, recording, record.after)
            return Divergence(pair.a, pair.b, "only-a" if pair.a is not None else "only-b", diff)
    return None


def text_diff(before: str, after: str, compared_by: Key | None = None) -> TextDiff:
    """The diff of two texts."""
    diff = diff_texts(lines.split(before), lines.split(after), key=compared_by)
    return TextDiff(diff.insertions, diff.deletions, diff.hunks)


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


def _pair(a: PassRecord | None, b: PassRecord | None, same: Callable[[str, str], bool]) -> PassPair:
    if a is None or b is None:
        return PassPair(a, b, "only-b" if a is None else "only-a")
    if a.after is None or b.after is None:
        return PassPair(a, b, "same" if a.after == b.after and a.error == b.error else "differs")
    return PassPair(a, b, "same" if same(a.after, b.after) else "differs")


def _same(a: Recording, b: Recording) -> Callable[[str, str], bool]:
    """Whether a text of one and a text of the other, by their hashes, say the same."""

    @cache
    def of_a(name: str) -> list[str]:
        return _plain(a.text(name))

    @cache
    def of_b(name: str) -> list[str]:
        return _plain(b.text(name))

    @cache
    def same(one: str, other: str) -> bool:
        if one == other:
            return True
        old, new = of_a(one), of_b(other)
        # Most texts that differ do so in their size or early on.
        return len(old) == len(new) and all(x == y or key(x) == key(y) for x, y in zip(old, new, strict=True))

    return same


def _plain(text: str) -> list[str]:
    return with_launch_names(text).split("\n")


def _between(a: Recording, before: str | None, b: Recording, after: str | None) -> TextDiff:
    old, new = (
        with_launch_names(recording.text(name)) if name else "" for recording, name in ((a, before), (b, after))
    )
    return text_diff(old, new, key)
