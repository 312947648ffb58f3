"""What is stored along with an IR text: where its lines come from and which buffers they are about.

JSON with differences instead of line numbers: one inserted line then changes one number, and the rest packs away.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from tilescope_worker.wire.messages import BufferState

from .packing import PackingError

Triple = tuple[int, int, int]
"""Text line, index of the file, Python line."""


@dataclass(frozen=True)
class TextMap:
    """The places in a text, as in PassText. In recordings of schema 1 ``unplaced`` is None and ``buffers`` empty."""

    files: tuple[str, ...]
    lines: tuple[Triple, ...]
    unplaced: tuple[int, ...] | None = None
    buffers: tuple[BufferState, ...] = ()


_FIELDS = tuple(field.name for field in dataclasses.fields(BufferState) if field.name not in ("declared", "used"))
"""What is stored of a buffer as it is; its lines are stored with those of the others."""


def encode_map(places: TextMap) -> bytes:
    """``places`` as bytes; ``lines`` come back in order."""
    steps: list[int] = []
    line, python = 0, 0
    for at, file, origin in sorted(places.lines):
        steps += (at - line, file, origin - python)
        line, python = at, origin
    unplaced = None if places.unplaced is None else list(_differences(sorted(places.unplaced)))
    mentions = sorted(
        (at, 2 * number + kind)
        for number, state in enumerate(places.buffers)
        for kind, lines in enumerate((state.declared, state.used))
        for at in lines
    )
    numbers = _differences(at for at, _ in mentions)
    told = [value for step, (_, what) in zip(numbers, mentions, strict=True) for value in (step, what)]
    rows = [[getattr(state, name) for name in _FIELDS] for state in places.buffers]
    return json.dumps([places.files, steps, unplaced, rows, told], separators=(",", ":")).encode()


def decode_map(data: bytes) -> TextMap:
    """The inverse of encode_map; raises PackingError."""
    try:
        files, steps, *rest = json.loads(data)
        unplaced, rows, told = rest or (None, [], [])
        lines: list[Triple] = []
        line, python = 0, 0
        for at in range(0, len(steps), 3):
            line, file, python = line + steps[at], steps[at + 1], python + steps[at + 2]
            lines.append((line, file, python))
            files[file]
        return TextMap(
            tuple(files),
            tuple(lines),
            None if unplaced is None else tuple(_sums(unplaced)),
            _buffers(rows, told, len(files)),
        )
    except (ValueError, TypeError, IndexError, RecursionError, msgspec.ValidationError):
        raise PackingError("it is no line map") from None


def _buffers(rows: list[Any], told: list[int], files: int) -> tuple[BufferState, ...]:
    lines: list[tuple[list[int], list[int]]] = [([], []) for _ in rows]
    for at, what in zip(_sums(told[::2]), told[1::2], strict=True):
        lines[what >> 1][what & 1].append(at)
    states = []
    for row, (declared, used) in zip(rows, lines, strict=True):
        fields = dict(zip(_FIELDS, row, strict=True))
        state = msgspec.convert({**fields, "declared": declared, "used": used}, BufferState)
        if state.file is not None and not 0 <= state.file < files:
            raise IndexError(state.file)
        states.append(state)
    return tuple(states)


def _differences(numbers: Iterable[int]) -> Iterator[int]:
    last = 0
    for number in numbers:
        yield number - last
        last = number


def _sums(differences: Iterable[int]) -> Iterator[int]:
    number = 0
    for difference in differences:
        number += difference
        yield number
