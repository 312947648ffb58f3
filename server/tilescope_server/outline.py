"""The outline of a document: its kernels, and in each its buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.model import Buffer, Kernel

from .bindings import Bindings
from .labels import size


@dataclass(frozen=True)
class Entry:
    """A kernel or a buffer with what it is in a few words, its first and last line, and where its name stands
    (1-based line, column, exclusive end)."""

    name: str
    detail: str
    first: int
    last: int
    place: tuple[int, int, int]
    inside: tuple[Entry, ...] = ()


def outline_of(kernels: Sequence[Kernel], bindings: Bindings, lines: Sequence[str]) -> tuple[Entry, ...]:
    """The kernels of a document in order; of several specializations and targets the first one tells."""
    first: dict[tuple[str, int], Kernel] = {}
    for kernel in kernels:
        first.setdefault((kernel.qualname, kernel.line), kernel)
    found = [_kernel(kernel, bindings, lines) for kernel in first.values() if 1 <= kernel.line <= len(lines)]
    return tuple(sorted(found, key=lambda entry: entry.first))


def _kernel(kernel: Kernel, bindings: Bindings, lines: Sequence[str]) -> Entry:
    function = next((one for one in bindings.functions if one.lineno == kernel.line), None)
    last = min(max((function.end_lineno if function is not None else None) or 0, kernel.line), len(lines))
    inside = tuple(
        _buffer(buffer, buffer.line, last)
        for buffer in kernel.buffers
        if buffer.line is not None and kernel.line <= buffer.line <= last and buffer.column is not None
    )
    text = lines[kernel.line - 1]
    start = max(text.find(kernel.name), 0) + 1
    end = start + len(kernel.name) if text.startswith(kernel.name, start - 1) else len(text) + 1
    return Entry(
        kernel.qualname,
        f"{kernel.target} · {kernel.stage}",
        kernel.line,
        last,
        (kernel.line, start, end),
        tuple(sorted(inside, key=lambda entry: entry.place)),
    )


def _buffer(buffer: Buffer, line: int, last: int) -> Entry:
    column = buffer.column or 1
    shape = ",".join(map(str, buffer.shape))
    stages = f" ×{buffer.stages}" if buffer.stages > 1 else ""
    taken = f" · {size(buffer.bytes)}" if buffer.bytes is not None else ""
    return Entry(
        buffer.name,
        f"[{shape}] {buffer.dtype or '?'} {buffer.scope}{stages}{taken}",
        line,
        min(line, last),
        (line, column, buffer.end_column or column + len(buffer.name)),
    )
