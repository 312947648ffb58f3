"""A recording as Markdown for a pull request: what the kernel takes, findings, and the passes that changed it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tilescope_passdiff.counts import insertions_deletions
from tilescope_passdiff.summary import summaries
from tilescope_passdiff.wording.heads import kernel_heads, layout_words
from tilescope_passdiff.wording.operations import operation_text
from tilescope_trace.model import Finding, PassRecord, RecordingInfo
from tilescope_trace.store.read import Recording

from .terminal.controls import visible

LONGEST_CELL = 300
"""Characters of one cell: a comment on GitHub may have 65,536 in all."""


def report_markdown(recording: Recording) -> str:
    """The report; nothing of the recording is taken as markup or as a mention. Raises RecordingError where a text is
    damaged."""
    info = recording.info
    parts = [
        f"### {_escaped(info.kernel.qualname)} for {_escaped(info.kernel.target)}",
        _escaped(_headline(recording)),
        *_findings(info.kernel.findings),
        _table(("", ""), (map(_escaped, pair) for pair in kernel_heads(info.kernel))),
        *_folded("Buffers", _buffers(info)),
        *_folded("Operations", _operations(info)),
        *_folded("Passes that changed the IR", _passes(recording)),
        *(
            f"Pass {record.index} {_code(record.label)} failed: {_escaped(_error(record))}"
            for record in _failed(recording)
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(recording: Recording) -> str:
    info = recording.info
    changed = sum(record.changed for record in recording.passes)
    parts = [info.status, f"{len(recording.passes)} passes, {changed} of them changed the IR"]
    if info.lower_ms:
        parts.append(f"lowered in {info.lower_ms:.0f} ms")
    if info.tilelang:
        parts.append(f"TileLang {info.tilelang}")
    return "; ".join(parts) + "."


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    rows = [
        (
            finding.severity,
            _escaped(finding.code),
            _code(f"{finding.file}:{finding.line}"),
            _escaped(finding.message) + (f"<br>{_escaped(finding.help)}" if finding.help else ""),
        )
        for finding in findings
    ]
    if rows:
        yield _table(("", "code", "place", "finding"), rows)


def _buffers(info: RecordingInfo) -> str:
    rows = [
        (
            _code(buffer.name),
            "" if buffer.line is None else str(buffer.line),
            _escaped(", ".join(map(str, buffer.shape)) + (f" × {buffer.stages} stages" if buffer.stages > 1 else "")),
            _escaped(buffer.dtype or "?"),
            _escaped(buffer.scope),
            "" if buffer.bytes is None else str(buffer.bytes),
            _escaped(layout_words(buffer.layout)),
        )
        for buffer in info.kernel.buffers
    ]
    return _table(("buffer", "line", "shape", "dtype", "scope", "bytes", "layout"), rows) if rows else ""


def _operations(info: RecordingInfo) -> str:
    rows = [
        (
            operation.kind,
            "" if operation.line is None else str(operation.line),
            _escaped(operation_text(operation)),
            _escaped(", ".join(operation.lowered_to)),
        )
        for operation in info.kernel.operations
    ]
    return _table(("operation", "line", "on", "lowered to"), rows) if rows else ""


def _passes(recording: Recording) -> str:
    told = zip(recording.passes, insertions_deletions(recording), summaries(recording), strict=True)
    rows = [
        (
            str(record.index),
            _code(record.label),
            f"+{insertions} −{deletions}",
            _escaped(summary),
            f"{record.duration_ms:.1f}",
        )
        for record, (insertions, deletions), summary in told
        if record.changed
    ]
    return _table(("#", "pass", "lines", "what it did", "ms"), rows) if rows else ""


def _failed(recording: Recording) -> Iterator[PassRecord]:
    return (record for record in recording.passes if record.status == "failed")


def _error(record: PassRecord) -> str:
    return (record.error or "no message").strip()


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = tuple(headings)
    lines = [_row(titles), _row("---" for _ in titles), *map(_row, rows)]
    return "\n".join(lines) if len(lines) > 2 else ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _folded(title: str, content: str) -> Iterator[str]:
    if content:
        yield f"<details><summary>{title}</summary>\n\n{content}\n\n</details>"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>()#|~@&!])", r"\\\1", _line(text))


def _code(text: str) -> str:
    return "`" + _line(text).replace("`", "'").replace("|", "\\|") + "`"


def _line(text: str) -> str:
    line = " ".join(visible(text).split())
    return line if len(line) <= LONGEST_CELL else line[: LONGEST_CELL - 1] + "…"
