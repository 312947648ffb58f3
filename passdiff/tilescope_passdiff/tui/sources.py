"""The Python sources of a recording and its generated source, ready to be shown beside the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding, Origin, SourceFile
from tilescope_trace.provenance import Provenance, of_generated
from tilescope_trace.store.read import Recording
from tilescope_trace.store.stale import changed_sources

from .paint import cells, clean, lines_of
from .syntax import Inside, Language, carried

_AROUND = {"prologue": 1, "launch": 2, "allocation": 3, "barrier": 4}
"""Roles of what only prepares, holds or orders the statements of a Python line, from the nearest to it on."""
_BRACES = frozenset("{}();, ")


@dataclass(frozen=True, eq=False)
class Source:
    """A source with ``inside``, the lexer's state at each line. ``findings`` are by 1-based line, an error before
    others; ``roles`` are what generated lines do. ``differs`` says that the file on disk is another one now;
    ``problem`` is why there are no lines."""

    path: str
    lines: tuple[str, ...]
    inside: tuple[Inside, ...]
    language: Language = "python"
    findings: dict[int, Finding] = field(default_factory=dict)
    roles: Mapping[int, str] = field(default_factory=dict)
    differs: bool = False
    problem: str = ""

    @cached_property
    def width(self) -> int:
        """Cells of the widest line."""
        return max(map(cells, self.lines), default=0)


@dataclass(frozen=True)
class Generated:
    """The generated source and the Python lines that its lines come from, in both directions."""

    source: Source
    places: Provenance

    def foremost(self, lines: Iterable[int], meant: Callable[[Origin], bool]) -> int | None:
        """Which of ``lines`` (1-based) to show first to a reader who comes from Python lines that are ``meant``: the
        earliest that does what they say; directives and braces only for want of others. None for no lines."""
        return min(lines, key=lambda line: self._rank(line, meant), default=None)

    def _rank(self, line: int, meant: Callable[[Origin], bool]) -> tuple[bool, bool, int, int, int]:
        origins = self.places.origins.get(line, ())
        text = self.source.lines[line - 1].strip() if line <= len(self.source.lines) else ""
        return (
            text.startswith("#") or _BRACES.issuperset(text.replace("else", "")),
            not (origins and meant(origins[0])),
            _AROUND.get(self.places.roles.get(line, ""), 0),
            len(origins),
            line,
        )


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
    graver_last = sorted(findings, key=lambda finding: finding.severity == "error")
    here = {finding.line: finding for finding in graver_last if same_file(finding.file, file.path)}
    return Source(file.path, lines, carried(lines, "python"), findings=here, differs=differs)


def prepare_generated(recording: Recording) -> Generated:
    """The generated source, or why there is none."""
    nowhere = Provenance({}, None, {})
    language = recording.info.generated_language
    title = f"Generated source ({clean(language)})" if language else "Generated source"
    try:
        text = recording.generated()
        if text is None:
            return Generated(Source(title, (), (), "c", problem=absence(recording)), nowhere)
        places = of_generated(recording)
    except UsageError as error:
        return Generated(Source(title, (), (), "c", problem=str(error)), nowhere)
    lines = tuple(lines_of(text))
    return Generated(Source(title, lines, carried(lines, "c"), "c", roles=places.roles), places)


def absence(recording: Recording) -> str:
    """Why a recording holds no generated source."""
    missing = "generated source" if recording.passes else "passes and no generated source"
    errors = [clean(found.message) for found in recording.info.kernel.findings if found.severity == "error"]
    return "\n\n".join([f"This recording holds no {missing}: the compiler did not come that far.", *errors])


def same_file(one: str, other: str) -> bool:
    """Whether two paths mean one file: a recording's are relative where the file lies in the workspace."""
    if one == other:
        return True
    long, short = sorted((Path(one).parts, Path(other).parts), key=len, reverse=True)
    return len(long) > len(short) > 0 and long[-len(short) :] == short
