"""Walks the passes for the one across which an answer changes.

Texts may come and go again, so that all passes are asked in order; each text is asked once.
"""

from __future__ import annotations

from functools import cache

from tilescope_trace.errors import UsageError
from tilescope_trace.history.texts import main_passes
from tilescope_trace.store.read import Recording

from .model import Bisected, Moment, Query
from .texts import TextQuery


class NotFoundError(UsageError):
    """No pass did what was asked; the message says what there is instead."""


def bisect(recording: Recording, query: Query, *, removed: bool = False) -> Bisected:
    """The first pass behind which ``query`` holds and before which it did not; the other way round with ``removed``.

    Nested passes count as part of the pass around them. Raises NotFoundError where there is none,
    RecordingError where a text is damaged.
    """

    @cache
    def ask(text: str) -> Moment:
        return query.of(recording, text)

    changed = []
    for record in main_passes(recording):
        assert record.after is not None
        if ask(record.before).holds != ask(record.after).holds:
            changed.append(record)
    wanted = [record for record in changed if ask(record.before).holds == removed]
    if not wanted:
        raise NotFoundError(_instead(recording, query, ask, removed=removed, changes=bool(changed)))
    first = wanted[0]
    assert first.after is not None
    return Bisected(
        first,
        "removed" if removed else "introduced",
        ask(first.before),
        ask(first.after),
        tuple(record for record in changed if record.index > first.index),
    )


def _instead(recording: Recording, query: Query, ask: object, *, removed: bool, changes: bool) -> str:
    assert callable(ask)
    path = recording.path
    if not recording.passes or not recording.passes[0].before:
        return f"{path}: the recording holds no passes."
    from_start = ask(recording.passes[0].before).holds
    if from_start and not removed:
        more = "; --absent finds the pass that removes it" if changes else ", and it stays to the end"
        return f"{path}: no pass introduces {query.words}: it is there before the first pass{more}."
    if not removed and isinstance(query, TextQuery) and (generated := recording.generated()):
        found = query.among(generated)
        if found.lines:
            return (
                f"{path}: no pass introduces {query.words}: it is first in line {found.lines[0].line} of the"
                " generated source, where the code generator writes it."
            )
    if removed:
        return f"{path}: no pass removes {query.words}: it {'stays to the end' if from_start else 'is never there'}."
    return f"{path}: no pass introduces {query.words}: it is in no IR of the recording."
