"""Search of all texts of a recording, pass by pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .paint import clean
from .search import Query, finder

LONGEST_PREVIEW = 160
PATIENCE_S = 3.0
"""Time that a pattern gets for all texts of a recording."""


@dataclass(frozen=True)
class Found:
    """``count`` places in the output of the pass at ``position`` (in the input of a failed one), or in the generated
    source (None); ``came`` is how many more they are than in its input. ``first`` is the line (1-based) of the first
    one, ``preview`` its text. ``problem`` says why a text cannot be searched."""

    position: int | None
    count: int
    came: int
    first: int
    preview: str
    problem: str = ""


def order(passes: int, start: int) -> Iterator[int]:
    """All positions: ``start``, then the last one, which most of what any pass brought is still in, then the others
    from ``start`` on."""
    last = passes - 1
    yield start
    if start != last:
        yield last
    for step in range(1, passes):
        yield from (at for at in (start + step, start - step) if 0 <= at < last)


def everywhere(recording: Recording, query: Query, start: int) -> Iterator[Found | None]:
    """What each pass and the generated source hold of ``query``; None for a text without it, so that whoever asks may
    stop. They come in the order of `order`; equal texts are searched once.
    Raises SlowPatternError where a pattern is."""
    places = finder(query, PATIENCE_S)
    known: dict[str, tuple[int, int, str]] = {}

    def searched(name: str, text: str | None = None) -> tuple[int, int, str]:
        if name not in known:
            known[name] = _in_text(recording.text(name) if text is None else text)
        return known[name]

    def _in_text(text: str) -> tuple[int, int, str]:
        found = places(text)
        first = next(found, None)
        if first is None:
            return 0, 0, ""
        begin = text.rfind("\n", 0, first[0]) + 1
        end = text.find("\n", begin)
        line = text[begin : end if end >= 0 else len(text)]
        count = 1 + sum(1 for _ in found)
        return count, text.count("\n", 0, begin) + 1, clean(line.strip()[:LONGEST_PREVIEW])

    for position in order(len(recording.passes), start) if recording.passes else ():
        record = recording.passes[position]
        try:
            count, first, preview = searched(record.after if record.after is not None else record.before)
            before = searched(record.before)[0] if record.after is not None else count
        except UsageError as error:
            yield Found(position, 0, 0, 0, "", str(error))
            continue
        gone = before > count
        yield Found(position, count, count - before, first, preview) if count or gone else None
    try:
        text = recording.generated()
    except UsageError as error:
        yield Found(None, 0, 0, 0, "", str(error))
        return
    if text is not None:
        count, first, preview = _in_text(text)
        yield Found(None, count, 0, first, preview) if count else None


def total(found: Sequence[Found]) -> str:
    """How much was found, in words."""
    passes = sum(one.position is not None and one.count > 0 for one in found)
    count = sum(one.count for one in found)
    return f"{count} places in {passes} pass{'es' * (passes != 1)}" if count else "nothing found"
