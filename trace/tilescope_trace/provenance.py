"""Python lines of IR and generated source, in both directions, and what has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from .model import Origin, PassRecord
from .store.read import Recording

_PUNCTUATION = frozenset("{}()[];, \t")


@dataclass(frozen=True)
class Provenance:
    """The places of one text. ``origins`` are all Python lines of a text line (1-based), ``unplaced`` the lines that
    should have one and do not, None where the recording does not tell; ``roles`` are those of generated lines."""

    origins: Mapping[int, tuple[Origin, ...]]
    unplaced: tuple[int, ...] | None
    roles: Mapping[int, str]

    @cached_property
    def lines(self) -> Mapping[Origin, tuple[int, ...]]:
        """The text lines of each Python line, ascending."""
        found: dict[Origin, list[int]] = {}
        for line, places in sorted(self.origins.items()):
            for place in places:
                found.setdefault(place, []).append(line)
        return {place: tuple(lines) for place, lines in found.items()}

    @property
    def counts(self) -> tuple[int, int] | None:
        """(lines without a known Python line, lines that should have one); None where the recording does not tell."""
        return None if self.unplaced is None else (len(self.unplaced), len(self.unplaced) + len(self.origins))


def of_text(recording: Recording, name: str) -> Provenance:
    """The places of the IR text with the hash ``name``. Raises RecordingError where it is damaged."""
    found = recording.line_map(name)
    return Provenance(found.origins, found.unplaced, {})


def of_pass(recording: Recording, record: PassRecord) -> Provenance:
    """The places of the IR after a pass, of its input where it failed."""
    return of_text(recording, record.after if record.after is not None else record.before)


def of_generated(recording: Recording) -> Provenance:
    """The places of the generated source; without one there are none."""
    known = recording.generated_lines()
    origins = {record.line: record.origins for record in known if record.origins}
    code = _code_lines((recording.generated() or "").split("\n"))
    return Provenance(
        origins,
        tuple(line for line in code if line not in origins),
        {record.line: record.role for record in known if record.role is not None},
    )


def unplaced_note(provenance: Provenance) -> str | None:
    """How much of a text has no known Python line, in words; None where there is nothing to tell."""
    counts = provenance.counts
    if counts is None or not counts[1]:
        return None
    unplaced, total = counts
    return (
        f"{unplaced} of {total} line{'s' if total > 1 else ''} {'has' if total == 1 else 'have'} no known Python line"
    )


def _code_lines(lines: Iterable[str]) -> Iterable[int]:
    """Numbers of the lines that are more than blanks, brackets, comments and directives."""
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", "//", "using ")) and not _PUNCTUATION.issuperset(stripped):
            yield number
