"""Samples of two versions of a kernel, line by line. Lines are matched by text, as a diff of the sources does."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilescope_trace.model import Origin
from tilescope_trace.profile.attribute import Attribution, Weight
from tilescope_trace.store.read import Recording


@dataclass(frozen=True)
class Side:
    """One of the two: samples of a launch on the lines of its recording; ``duration_ns`` of the launch, None where
    the profile with the samples does not tell."""

    attribution: Attribution
    recording: Recording
    duration_ns: int | None = None


@dataclass(frozen=True)
class LineDifference:
    """A Python line before and after; an origin is None where that side has no such line, a share 0 where it has no
    samples there. ``ns_a`` and ``ns_b`` are shares of the launch's duration, as far as that is known."""

    a: Origin | None
    b: Origin | None
    text: str
    share_a: float
    share_b: float
    stall_a: str | None
    stall_b: str | None
    ns_a: float | None
    ns_b: float | None

    @property
    def change(self) -> float:
        """Of the share, in points of 1."""
        return self.share_b - self.share_a


def line_differences(a: Side, b: Side) -> tuple[LineDifference, ...]:
    """All lines with samples on either side, by the size of the change in time, or of that in share where a duration
    is missing."""
    pairs = list(_pairs(a, b))
    found = [_difference(a, b, one, other) for one, other in pairs]
    timed = a.duration_ns is not None and b.duration_ns is not None
    return tuple(sorted(found, key=lambda one: -_size(one, timed=timed)))


def _size(one: LineDifference, *, timed: bool) -> float:
    return abs((one.ns_b or 0.0) - (one.ns_a or 0.0)) if timed else abs(one.change)


def _pairs(a: Side, b: Side) -> Iterator[tuple[Origin | None, Origin | None]]:
    """Lines of both sides that are the same one, and those without a partner."""
    texts_a, texts_b = _texts(a.recording), _texts(b.recording)
    partners = _partners(texts_a, texts_b)
    taken = set()
    for origin in a.attribution.python:
        partner = partners.get(origin)
        if partner is not None:
            taken.add(partner)
        yield origin, partner
    back = {new: old for old, new in partners.items()}
    for origin in b.attribution.python:
        if origin not in taken:
            yield back.get(origin), origin


def _partners(a: Mapping[str, list[str]], b: Mapping[str, list[str]]) -> dict[Origin, Origin]:
    """Files are paired by name, or in order where they are called otherwise."""
    found: dict[Origin, Origin] = {}
    others = [name for name in b if name not in a]
    for name, lines in a.items():
        partner = name if name in b else (others.pop(0) if others else None)
        if partner is None:
            continue
        matcher = difflib.SequenceMatcher(a=lines, b=b[partner], autojunk=False)
        for tag, start, end, other, until in matcher.get_opcodes():
            if tag == "equal" or (tag == "replace" and end - start == until - other):
                for step in range(end - start):
                    found[Origin(name, start + step + 1)] = Origin(partner, other + step + 1)
    return found


def _texts(recording: Recording) -> dict[str, list[str]]:
    return {source.path: source.text.split("\n") for source in recording.sources()}


def _difference(a: Side, b: Side, one: Origin | None, other: Origin | None) -> LineDifference:
    weight_a, weight_b = _weight(a, one), _weight(b, other)
    share_a, share_b = a.attribution.share(weight_a), b.attribution.share(weight_b)
    return LineDifference(
        a=one,
        b=other,
        text=_text(b.recording, other) or _text(a.recording, one),
        share_a=share_a,
        share_b=share_b,
        stall_a=weight_a.top_stall,
        stall_b=weight_b.top_stall,
        ns_a=None if a.duration_ns is None else share_a * a.duration_ns,
        ns_b=None if b.duration_ns is None else share_b * b.duration_ns,
    )


def _weight(side: Side, origin: Origin | None) -> Weight:
    return side.attribution.python.get(origin, Weight()) if origin is not None else Weight()


def _text(recording: Recording, origin: Origin | None) -> str:
    lines = _texts(recording).get(origin.file, []) if origin is not None else []
    return lines[origin.line - 1].strip() if origin is not None and origin.line <= len(lines) else ""
