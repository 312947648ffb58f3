"""TS304: a short parallel loop over a fragment takes its other elements away."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Access, Buffer

RULE = Rule(
    code="TS304",
    name="parallel-extent",
    severity="warning",
    summary="A T.Parallel shorter than its fragment cuts off all longer ones",
    doc="""\
Where several parallel loops or copies go over one fragment, one of them decides its layout. If that is a
T.Parallel with fewer iterations than the fragment has elements, the layout has no thread and no register for
the others, and longer loops and copies over the fragment lose these iterations, before and behind it.
""",
    example="""\
f = T.alloc_fragment((256,), "float32")
T.copy(A, f)
for i in T.Parallel(100):
    D[i] = f[i] + 1.0
T.copy(f, C)
""",
    why="""\
With 128 threads, `f` is laid out over the 100 threads of the loop, one element each. Both copies are cut to 100
of the 256 elements in the generated code: `C` keeps what it held at 100 … 255.
""",
    fix="Let the loop go over the whole fragment with a condition inside, or give its part a fragment of its own.",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Fragments whose layout has fewer places than they have elements."""
    names = [buffer.name for buffer in subject.kernel.buffers]
    for buffer in subject.kernel.buffers:
        room = _room(buffer)
        elements = math.prod(extent for extent in buffer.shape if isinstance(extent, int))
        if room is None or room >= elements or names.count(buffer.name) > 1:
            continue
        longer = [one for one in _over(subject, buffer) if _count(one) > room]
        shorter = [one for one in _over(subject, buffer) if _count(one) <= room and one.parallel]
        if not longer or not shorter or longer[0].line is None:
            continue
        first, short = longer[0], shorter[0]
        places = [(one.line, "cut off, too") for one in longer[1:] if one.line is not None]
        if short.line is not None:
            places.append((short.line, f"this loop has {_count(short)} iterations"))
        yield Fault(
            f"{buffer.name} has {elements} elements, but a T.Parallel of {_count(short)} iterations (line "
            f"{short.line}) leaves it room for {room}: what goes over more of it is cut off there without a word",
            longer[0].line,
            name=buffer.name,
            operation=first.operation,
            column=first.column,
            end_column=first.end_column,
            help=f"let the loop go over all {elements} elements with a condition inside",
            related=tuple(dict.fromkeys(places)),
        )


def _room(buffer: Buffer) -> int | None:
    """How many elements the layout of a fragment has a place for, None where that is not known."""
    layout = buffer.layout
    if layout is None or layout.kind != "fragment" or layout.map is None or layout.threads is None:
        return None
    if not layout.replicate or not all(isinstance(extent, int) for extent in buffer.shape):
        return None
    return layout.threads * math.prod(layout.map.outputs) // layout.replicate


def _over(subject: Subject, buffer: Buffer) -> list[Access]:
    return [one for one in subject.kernel.accesses if one.buffer == buffer.name and one.scope == "local.fragment"]


def _count(access: Access) -> int:
    """The elements that an access goes over, with all loops around it."""
    counts = [extent for extent in access.extents if isinstance(extent, int)]
    return math.prod(counts) * math.prod(last - first + 1 for first, last in access.domain.values())
