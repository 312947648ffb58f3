"""Three-way merge of lines: two changed versions of one text become one where their changes lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

YOURS = "<<<<<<< yours"
MIDDLE = "======="
NEW = ">>>>>>> generated"


@dataclass(frozen=True)
class Merged:
    """The merged text; each of its ``conflicts`` holds both versions between marks."""

    text: str
    conflicts: int


@dataclass(frozen=True)
class _Edit:
    """Lines ``start`` to ``end`` of the base became ``lines``."""

    start: int
    end: int
    lines: tuple[str, ...]


def merge(base: str, yours: str, new: str) -> Merged:
    """Both changes of ``base`` in one text. Changes that touch each other and differ are a conflict."""
    lines = base.splitlines(keepends=True)
    ours, theirs = _edits(lines, yours), _edits(lines, new)
    merged: list[str] = []
    at = conflicts = 0
    while ours or theirs:
        start = min(edits[0].start for edits in (ours, theirs) if edits)
        end, one, other = _touching(start, ours, theirs)
        merged += lines[at:start]
        first, second = _applied(lines, start, end, one), _applied(lines, start, end, other)
        if not other or first == second:
            merged += first
        elif not one:
            merged += second
        else:
            conflicts += 1
            merged += [f"{YOURS}\n", *_ended(first), f"{MIDDLE}\n", *_ended(second), f"{NEW}\n"]
        at = end
    return Merged("".join([*merged, *lines[at:]]), conflicts)


def has_conflicts(text: str) -> bool:
    """Whether a text still has marks of a conflict."""
    return any(line.rstrip() in (YOURS, NEW) for line in text.splitlines())


def _edits(base: Sequence[str], text: str) -> list[_Edit]:
    lines = text.splitlines(keepends=True)
    opcodes = SequenceMatcher(None, base, lines, autojunk=False).get_opcodes()
    return [_Edit(a, b, tuple(lines[c:d])) for tag, a, b, c, d in opcodes if tag != "equal"]


def _touching(start: int, ours: list[_Edit], theirs: list[_Edit]) -> tuple[int, list[_Edit], list[_Edit]]:
    """Take the edits off both lists that begin at ``start`` or touch one that does; where the last of them ends."""
    end, found = start, True
    taken: tuple[list[_Edit], list[_Edit]] = ([], [])
    while found:
        found = False
        for edits, kept in zip((ours, theirs), taken, strict=True):
            while edits and edits[0].start <= end:
                edit = edits.pop(0)
                kept.append(edit)
                end, found = max(end, edit.end), True
    return end, *taken


def _applied(base: Sequence[str], start: int, end: int, edits: Sequence[_Edit]) -> list[str]:
    lines: list[str] = []
    at = start
    for edit in edits:
        lines += [*base[at : edit.start], *edit.lines]
        at = edit.end
    return [*lines, *base[at:end]]


def _ended(lines: list[str]) -> list[str]:
    """The lines, the last one with a line break, so that a mark can follow."""
    return [*lines[:-1], lines[-1] if lines[-1].endswith("\n") else f"{lines[-1]}\n"] if lines else []
