"""Annotations that say which compile a launch is of."""

from __future__ import annotations

from collections.abc import Sequence

COMPILE_PREFIX = "tl:"
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
