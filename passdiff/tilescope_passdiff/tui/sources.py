"""The Python sources of a recording, ready to be shown beside the IR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding, SourceFile
from tilescope_trace.store.read import Recording
from tilescope_trace.store.stale import changed_sources

from .paint import lines_of
from .syntax import Inside, carried


@dataclass(frozen=True)
class Source:
    """A source with ``inside``, the lexer's state at each line. ``findings`` are messages by 1-based line.
    ``differs`` says that the file on disk is another one now."""

    path: str
    lines: tuple[str, ...]
    inside: tuple[Inside, ...]
    findings: dict[int, str] = field(default_factory=dict)
    differs: bool = False


def prepare(recording: Recording) -> tuple[Source, ...]:
    """The sources of a recording, compared with what is on disk now where it is there."""
    findings = recording.info.kernel.findings
    try:
        files, changed = recording.sources(), changed_sources(recording)
    except UsageError:
        # Without sources the IR can still be read; the pane says that no source line is known.
        files, changed = (), ()
    return tuple(_prepared(file, findings, file.path in changed) for file in files)


def _prepared(file: SourceFile, findings: Sequence[Finding], differs: bool) -> Source:
    lines = tuple(lines_of(file.text))
    here = {finding.line: finding.message for finding in findings if same_file(finding.file, file.path)}
    return Source(file.path, lines, carried(lines, "python"), here, differs)


def same_file(one: str, other: str) -> bool:
    """Whether two paths mean one file: a recording's are relative where the file lies in the workspace."""
    if one == other:
        return True
    long, short = sorted((Path(one).parts, Path(other).parts), key=len, reverse=True)
    return len(long) > len(short) > 0 and long[-len(short) :] == short
