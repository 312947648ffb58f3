"""How much longer the rows of a buffer have to be for an instruction to be free of bank conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tilescope_worker.facts.buffers import bits
from tilescope_worker.wire.facts import Buffer

from .banks import WORD, conflict
from .lanes import Sample
from .moves import Request


@dataclass(frozen=True)
class Rows:
    """A buffer whose rows lie one behind the other: ``length`` elements of ``size`` bytes each."""

    length: int
    size: int


def rows_of(buffers: Iterable[Buffer]) -> dict[str, Rows]:
    """By name, the shared buffers of two or more dimensions that lie in memory as declared."""
    everything = list(buffers)
    named = Counter(buffer.name for buffer in everything)
    return {
        buffer.name: Rows(buffer.shape[-1], bits(buffer.dtype) // 8)
        for buffer in everything
        if named[buffer.name] == 1
        and buffer.scope in ("shared", "shared.dyn")
        and (buffer.layout is None or (buffer.layout.swizzle == "none" and buffer.layout.map is None))
        and len(buffer.shape) > 1
        and isinstance(buffer.shape[-1], int)
        and buffer.dtype is not None
        and bits(buffer.dtype) % 8 == 0
    }


def free_padding(rows: Rows, samples: Sequence[Sample], request: Request) -> int | None:
    """The fewest elements to add to each row so that no sample of the instruction conflicts and its vectors stay
    aligned; None where a quarter of a row is not enough, or the row is as long as the rest."""
    width = request.width
    if width is None:
        return None
    step = max(width, WORD) // rows.size
    if not step or rows.length * rows.size % WORD:
        return None
    for padding in range(step, max(rows.length // 4, step) + 1, step):
        if all(_free(rows, padding, sample, request, width) for sample in samples):
            return padding
    return None


def _free(rows: Rows, padding: int, sample: Sample, request: Request, width: int) -> bool:
    offsets = sample.offsets if request.rows is None else sample.offsets[: request.rows]
    moved = [None if at is None else at + at // (rows.length * rows.size) * padding * rows.size for at in offsets]
    return conflict(moved, width, request.kind).ways <= 1
