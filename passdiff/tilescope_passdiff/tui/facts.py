"""The facts of a kernel as lines of a pane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from tilescope_passdiff.render.layout import layout_text
from tilescope_passdiff.wording.heads import kernel_heads, layout_words
from tilescope_passdiff.wording.operations import operation_text
from tilescope_trace.errors import UsageError
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.limits import limits_of
from tilescope_trace.model import Buffer, Finding, MemoryUse, RecordingInfo

from .paint import clean

PICTURED_ROWS, PICTURED_COLUMNS = 32, 128
_GAUGE = 24


@dataclass(frozen=True)
class FactLine:
    """``parts`` are texts with the names of their styles; ``picture`` a line of a layout's picture in their place.
    ``line`` is the Python line of the kernel's file that the fact is about, ``buffer`` a buffer's name."""

    parts: tuple[tuple[str, str], ...] = ()
    picture: Text | None = None
    line: int | None = None
    buffer: str | None = None


def fact_lines(info: RecordingInfo, opened: frozenset[str], width: int) -> tuple[FactLine, ...]:
    """All lines; the pictures of ``opened`` buffers are at most ``width`` cells wide."""
    return tuple(_lines(info, opened, width))


def _lines(info: RecordingInfo, opened: frozenset[str], width: int) -> Iterator[FactLine]:
    kernel = info.kernel
    yield _heading("Kernel")
    for label, text in kernel_heads(kernel):
        if label == "memory" and kernel.launch is not None:
            yield from (_memory(use, kernel.target) for use in kernel.launch.memory)
        else:
            yield _labelled(label, text, kernel.launch.line if label == "launch" and kernel.launch else None)
    if kernel.buffers:
        yield _heading("Buffers", "Enter draws the layout, h tells the history")
        names = max(len(clean(buffer.name)) for buffer in kernel.buffers)
        for buffer in kernel.buffers:
            yield _buffer(buffer, names, buffer.name in opened)
            if buffer.name in opened:
                yield from picture_lines(buffer, kernel.target, width)
    if kernel.operations:
        yield _heading("Operations")
        for operation in kernel.operations:
            lowered = clean(", ".join(operation.lowered_to))
            yield FactLine(
                (
                    (f"  {operation.line or '?':>4} ", "dim"),
                    (f"{operation.kind:<9}", "keyword"),
                    (clean(operation_text(operation)), "text"),
                    (f"  → {lowered}" if lowered else "", "builtin"),
                ),
                line=operation.line,
            )
    yield _heading("Findings", "" if kernel.findings else "none")
    for finding in kernel.findings:
        yield from _finding(finding)
    yield _heading("Recorded with")
    for label, text in {"tilelang": info.tilelang or "", "tilescope": info.tilescope, **info.environment}.items():
        if text:
            yield _labelled(label, text)


def _heading(title: str, note: str = "") -> FactLine:
    return FactLine(((title, "heading"), (f"  {note}" if note else "", "dim")))


def _labelled(label: str, text: str, line: int | None = None) -> FactLine:
    return FactLine(((f"  {clean(label):<12} ", "dim"), (clean(text), "text")), line=line)


def _memory(use: MemoryUse, target: str) -> FactLine:
    """What a block takes of a memory beside what there is."""
    limits = limits_of(target)
    limit = None
    if limits is not None:
        limit = limits.shared_per_block if use.space == "shared" else limits.spaces.get(use.space)
    merged = use.declared_bytes is not None and use.declared_bytes > use.bytes
    before = f", {size_text(use.declared_bytes)} before merging" if merged and use.declared_bytes else ""
    label = (f"  {use.space:<12} ", "dim")
    if limit is None:
        return FactLine((label, (f"{size_text(use.bytes)}{before}, capacity not known", "text")))
    share = use.bytes / limit
    full = min(_GAUGE, round(share * _GAUGE))
    return FactLine(
        (
            label,
            ("█" * full, "error" if share > 1 else "inserted"),
            ("░" * (_GAUGE - full), "dim"),
            (
                f" {size_text(use.bytes)} of {size_text(limit)} ({share:.0%}){before}",
                "error" if share > 1 else "text",
            ),
        )
    )


def _buffer(buffer: Buffer, names: int, opened: bool) -> FactLine:
    shape = "×".join(map(str, buffer.shape))
    stages = f" ×{buffer.stages}" if buffer.stages > 1 else ""
    size = f" {size_text(buffer.bytes)}" if buffer.bytes is not None else ""
    mark = " " if buffer.layout is None else "▾" if opened else "▸"
    return FactLine(
        (
            (f"{mark} {buffer.line or '?':>4} ", "dim"),
            (clean(buffer.name).ljust(names), "bold"),
            (f" {clean(buffer.dtype or '?')} {clean(shape)}{stages} {clean(buffer.scope)}", "text"),
            (size, "number"),
            (f"  {clean(layout_words(buffer.layout))}" if buffer.layout else "", "builtin"),
        ),
        line=buffer.line,
        buffer=buffer.name,
    )


def picture_lines(buffer: Buffer, target: str, width: int) -> Iterator[FactLine]:
    """What decided the layout of a buffer, and its picture in at most ``width`` cells; or why there is none."""
    where: dict[str, Any] = {"line": buffer.line, "buffer": buffer.name}
    decided = buffer.layout.decided_by if buffer.layout is not None else None
    if decided is not None:
        yield FactLine(((f"      {clean(decided.pass_name)}: {clean(decided.reason)}", "dim"),), **where)
    try:
        grid = grid_of(buffer, target, slice(0, PICTURED_ROWS), slice(0, PICTURED_COLUMNS))
    except UsageError as error:
        yield FactLine(((f"      {clean(str(error))}", "dim"),), **where)
        return
    for line in layout_text(grid, max(20, width - 8)).split("\n")[1:]:
        yield FactLine(picture=Text("      ").append_text(line), **where)


def _finding(finding: Finding) -> Iterator[FactLine]:
    style = {"error": "error", "warning": "changed"}.get(finding.severity, "dim")
    lines = clean(finding.message.replace("\n", " ⏎ "))
    yield FactLine(
        (
            (f"  {finding.line:>4} ", "dim"),
            ("✗ " if finding.severity == "error" else "! ", style),
            (f"{clean(finding.code)} ", style),
            (lines, "text"),
        ),
        line=finding.line,
    )
    if finding.help:
        yield FactLine(((f"         {clean(finding.help.partition(chr(10))[0])}", "dim"),), line=finding.line)


def size_text(size: int) -> str:
    """``48 KiB``, ``512 B``; exact sizes only."""
    return f"{size // 1024} KiB" if size >= 1024 and size % 1024 == 0 else f"{size} B"
