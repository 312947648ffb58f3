"""What is known of the kernel, as rows of text for the page, with a picture of each known layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilescope_passdiff.render.layout import layout_svg
from tilescope_passdiff.wording.heads import kernel_heads, layout_words
from tilescope_passdiff.wording.operations import operation_text
from tilescope_trace.errors import UsageError
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Buffer, Finding, Operation, RecordingInfo

from .pool import shown

PICTURED_ROWS, PICTURED_COLUMNS = 32, 64
"""Part of a layout that is drawn: enough for a swizzle or a tile of a tensor core to repeat."""


def facts_of(info: RecordingInfo) -> dict[str, Any]:
    """Labelled lines, buffers, operations, findings and environment."""
    kernel = info.kernel
    return {
        "heads": [[shown(label), shown(text)] for label, text in kernel_heads(kernel)],
        "buffers": [_buffer(buffer, kernel.target) for buffer in kernel.buffers],
        "operations": [_operation(operation) for operation in kernel.operations],
        "findings": [_finding(finding) for finding in kernel.findings],
        "environment": [[shown(label), shown(text)] for label, text in _environment(info)],
    }


def _buffer(buffer: Buffer, target: str) -> dict[str, Any]:
    decided_by = buffer.layout.decided_by if buffer.layout is not None else None
    return {
        "name": shown(buffer.name),
        "line": buffer.line,
        "shape": shown(", ".join(map(str, buffer.shape))),
        "dtype": shown(buffer.dtype or "?"),
        "scope": shown(buffer.scope),
        "stages": buffer.stages,
        "bytes": buffer.bytes,
        "layout": shown(layout_words(buffer.layout)),
        "because": shown(decided_by.reason) if decided_by is not None else None,
        "picture": _picture(buffer, target),
    }


def _picture(buffer: Buffer, target: str) -> str | None:
    if buffer.layout is None:
        return None
    try:
        return layout_svg(grid_of(buffer, target, slice(0, PICTURED_ROWS), slice(0, PICTURED_COLUMNS)))
    except UsageError:
        # No map is known for it: the words beside it say what is.
        return None


def _operation(operation: Operation) -> dict[str, Any]:
    return {
        "kind": operation.kind,
        "line": operation.line,
        "text": shown(operation_text(operation)),
        "lowered": shown(", ".join(operation.lowered_to)),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": shown(finding.code),
        "severity": finding.severity,
        "file": shown(finding.file),
        "line": finding.line,
        "message": shown(finding.message),
        "help": shown(finding.help) if finding.help else None,
        "pass": shown(finding.pass_name) if finding.pass_name else None,
    }


def _environment(info: RecordingInfo) -> Iterator[tuple[str, str]]:
    if info.created:
        yield "recorded", info.created
    if info.tilescope:
        yield "tilescope", info.tilescope
    if info.tilelang:
        yield "tilelang", info.tilelang
    yield from sorted(info.environment.items())
