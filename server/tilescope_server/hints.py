"""Inlay hints as domain objects: where and what, without the protocol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.model import Buffer, Launch, Operation

from . import labels
from .sites import Site, Variant


@dataclass(frozen=True)
class Hint:
    """A label at a place, 1-based line and column in code points. ``is_type`` hints follow a name directly."""

    line: int
    column: int
    label: str
    is_type: bool
    site: Site

    @property
    def variant(self) -> Variant:
        """The variant whose facts the label shows."""
        return self.site.variants[0]


def hints_of(sites: Sequence[Site], lines: Sequence[str]) -> tuple[Hint, ...]:
    """The hints of a document, by place; ``lines`` is its text."""
    hints: dict[tuple[int, int, str], Hint] = {}
    for site in sites:
        if 1 <= site.line <= len(lines) and (hint := _hint(site, lines[site.line - 1])) is not None:
            hints.setdefault((hint.line, hint.column, hint.label), hint)
    return tuple(sorted(hints.values(), key=lambda hint: (hint.line, hint.column)))


def fingerprint(hints: Sequence[Hint]) -> tuple[object, ...]:
    """Equal for two states of a document whose hints look the same and hold for the same."""
    return tuple(
        (hint.line, hint.column, hint.label, hint.variant.kernel.stage, hint.variant.stale) for hint in hints
    )


def _hint(site: Site, line: str) -> Hint | None:
    label = _label(site)
    if label is None:
        return None
    if site.kind == "buffer":
        column = _after_name(site, line)
        return None if column is None else Hint(site.line, column, label, True, site)
    return Hint(site.line, _end_of_code(line), label, False, site)


def _label(site: Site) -> str | None:
    texts = [_text(variant, 0) for variant in site.variants]
    others = len({text for text in texts if text not in (None, texts[0])})
    return _text(site.variants[0], others)


def _text(variant: Variant, others: int) -> str | None:
    marks = labels.marks_of(variant.kernel, stale=variant.stale)
    entry = variant.entry
    if isinstance(entry, Buffer):
        return None if entry.scope == "global" else labels.buffer_label(entry, marks, others)
    if isinstance(entry, Launch):
        return labels.launch_label(entry, marks, others)
    return labels.operation_label(entry, marks, others) if isinstance(entry, Operation) else None


def _after_name(site: Site, line: str) -> int | None:
    """The column after the assigned name; None where the line does not hold it (an allocation in another file)."""
    if site.column is not None and line[site.column - 1 :].startswith(site.name):
        return site.column + len(site.name)
    found = re.search(rf"(?<![\w.]){re.escape(site.name)}(?!\w)", line)
    return None if found is None else found.end() + 1


def _end_of_code(line: str) -> int:
    return len(line.rstrip()) + 1
