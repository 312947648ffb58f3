"""What became of buffers: ``shared 48 → 32 KiB``, ``A_shared × 3 stages``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

from tilescope_trace.history.texts import base_name
from tilescope_trace.model import BufferRecord

from .nouns import signed
from .state import State

_BITS = re.compile(r"\D*?(\d+)(?:_\w*?)?(?:x(\d+))?$")
_BUFFERS = ("buffer", "buffers")
Pair = tuple[BufferRecord, BufferRecord]
"""A buffer before and after."""

NAMED = 3
"""Most buffers told by name; more are counted."""


def phrases(before: State, after: State) -> Iterator[str]:
    """Buffers of the chip that came, went, or changed in shape, layout, scope or place."""
    old, new = _on_chip(before.buffers), _on_chip(after.buffers)
    pairs = list(_paired(old, new))
    yield from _come_and_gone(old, new, pairs)
    staged: dict[object, list[str]] = {}
    for was, now in pairs:
        if now.inside is None and len(was.shape) and now.shape[1:] == was.shape:
            staged.setdefault(now.shape[0], []).append(base_name(now.name))
    for stages, names in staged.items():
        yield f"{_named(names)} × {stages} stages"
    yield from _told(pairs, "split over threads", _is_split)
    yield from _told(pairs, "given layouts", _is_laid_out, of_one="given a layout")
    yield from _told(pairs, "flattened", _is_flattened)
    yield from _merged(pairs)
    yield from _shared(before, after)


def shared_bytes(buffers: Sequence[BufferRecord]) -> int | None:
    """Bytes of shared memory that a text's buffers take, parts of others not counted twice; None where one is
    symbolic."""
    total = 0
    for buffer in buffers:
        if not buffer.scope.startswith("shared") or buffer.scope.endswith("barrier") or buffer.inside is not None:
            continue
        size = bytes_of(buffer)
        if size is None:
            return None
        total += size
    return total


def bytes_of(buffer: BufferRecord) -> int | None:
    """Bytes of a buffer; None where its shape is symbolic or its type has no known width."""
    sizes = [size for size in buffer.shape if isinstance(size, int)]
    found = _BITS.match(buffer.dtype)
    if len(sizes) != len(buffer.shape) or not sizes or found is None:
        return None
    return math.prod(sizes) * int(found[1]) * int(found[2] or 1) // 8


def _on_chip(buffers: Sequence[BufferRecord]) -> list[BufferRecord]:
    return [buffer for buffer in buffers if buffer.scope not in ("", "global")]


def _paired(old: Sequence[BufferRecord], new: Sequence[BufferRecord]) -> Iterator[Pair]:
    """The same buffers on both sides: by their memory, else by name and line."""
    by_key = {buffer.key: buffer for buffer in new}
    by_name = {(base_name(buffer.name), buffer.origin): buffer for buffer in new}
    for was in old:
        now = by_key.get(was.key) or by_name.get((base_name(was.name), was.origin))
        if now is not None:
            yield was, now


def _come_and_gone(old: Sequence[BufferRecord], new: Sequence[BufferRecord], pairs: Sequence[Pair]) -> Iterator[str]:
    known = {id(was) for was, _ in pairs} | {id(now) for _, now in pairs}
    for number, buffers in ((1, new), (-1, old)):
        names = list(dict.fromkeys(base_name(buffer.name) for buffer in buffers if id(buffer) not in known))
        if names:
            said = signed(number * len(names), _BUFFERS)
            yield f"{said} ({', '.join(names)})" if len(names) <= NAMED else said


def _told(
    pairs: Sequence[Pair], what: str, holds: Callable[[BufferRecord, BufferRecord], bool], of_one: str | None = None
) -> Iterator[str]:
    names = [base_name(now.name) for was, now in pairs if holds(was, now)]
    if names:
        yield f"{_named(names)} {of_one if of_one and len(set(names)) == 1 else what}"


def _is_laid_out(was: BufferRecord, now: BufferRecord) -> bool:
    return bool(now.layout) and not was.layout


def _is_split(was: BufferRecord, now: BufferRecord) -> bool:
    return was.scope == "local.fragment" and now.scope == "local"


def _is_flattened(was: BufferRecord, now: BufferRecord) -> bool:
    return len(was.shape) > 1 and len(now.shape) == 1 and now.inside is None and was.scope == now.scope


def _merged(pairs: Sequence[Pair]) -> Iterator[str]:
    into: dict[str, list[str]] = {}
    for was, now in pairs:
        if now.inside is not None and was.inside != now.inside:
            into.setdefault(now.inside, []).append(base_name(now.name))
    for whole, names in into.items():
        yield f"{_named(names)} merged into {whole}"


def _shared(before: State, after: State) -> Iterator[str]:
    old, new = shared_bytes(before.buffers), shared_bytes(after.buffers)
    if old is not None and new is not None and old != new:
        yield f"shared {_size(old, new)}"


def _size(old: int, new: int) -> str:
    if old % 512 or new % 512:
        return f"{old} → {new} B"
    return f"{old / 1024:g} → {new / 1024:g} KiB"


def _named(names: Sequence[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)} buffers"
