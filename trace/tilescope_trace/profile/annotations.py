"""Annotations that say which compile a launch is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from tilescope_worker.annotate import names

COMPILE_PREFIX = names.PREFIX
"""``tl:<compile id>``: what a program that runs under ``tilescope capture --annotate`` puts around each call."""


def best_annotation(around: Sequence[str]) -> str | None:
    """Of the ranges around a call, outermost first, the innermost that names a compile, else the innermost."""
    exact = [name for name in around if name.startswith(COMPILE_PREFIX)]
    return (exact or around)[-1] if around else None


def compile_named(annotation: str | None) -> str | None:
    """The id of the compile that an annotation names, None if it names none."""
    if annotation is None or not annotation.startswith(COMPILE_PREFIX):
        return None
    return annotation.removeprefix(COMPILE_PREFIX)


def annotated(
    calls: Sequence[tuple[int, int, int]], annotations: Mapping[int, Sequence[tuple[int, int, str]]]
) -> Iterator[tuple[int, str]]:
    """For each call (lane, time, launch) within annotations (by lane: start, end, name) its launch and the innermost
    one that names a compile, else the innermost."""
    for lane, of_lane in groupby(sorted(calls), key=itemgetter(0)):
        waiting = sorted(annotations.get(lane, []), key=lambda one: (-one[0], one[1]))
        every: list[tuple[int, str]] = []
        exact: list[tuple[int, str]] = []
        for _, moment, launch in of_lane:
            while waiting and waiting[-1][0] <= moment:
                _, end, name = waiting.pop()
                every.append((end, name))
                if name.startswith(COMPILE_PREFIX):
                    exact.append((end, name))
            for opened in (exact, every):
                while opened and opened[-1][0] < moment:
                    opened.pop()
            if every:
                yield launch, (exact or every)[-1][1]
