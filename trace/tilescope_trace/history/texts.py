"""The IR texts along the main line of passes, and comparing some of their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

_NUMBERED = re.compile(r"\b([^\W\d]\w*?)(?:_\d+)+\b")
_OPERATION = re.compile(r"T\.([^\W\d]\w*)\(")
_STORE = re.compile(r"[^\W\d]\w*\[.*?\] = ")
_HEADER = ("T.sblock_attr(", "T.reads(", "T.writes(")
_ATTRIBUTE = "attr"


def main_passes(recording: Recording) -> Iterator[PassRecord]:
    """The passes that lead from the kernel to the generated source and printed something else than they were given.

    Nested passes are left out, as what they did is in the pass around them; so is the host's part after the split.
    """
    device = any(record.module == "device" for record in recording.passes)
    for record in recording.passes:
        if record.depth or record.after is None or record.after == record.before:
            continue
        if record.module != "host" or not device:
            yield record


class Texts:
    """The lines of a recording's texts, split once."""

    def __init__(self, recording: Recording) -> None:
        @lru_cache(maxsize=8)
        def split(name: str) -> list[str]:
            return recording.text(name).split("\n")

        self._split = split

    def of(self, name: str, lines: Iterable[int]) -> list[str]:
        """The given lines without their indentation; what only lists a block's accesses and layouts is left out."""
        text = self._split(name)
        found = (text[line - 1].strip() for line in lines if line <= len(text))
        return [line for line in found if not line.startswith(_HEADER)]


def differ(before: Iterable[str], after: Iterable[str]) -> bool:
    """Whether lines differ in more than order and the numbers that the printer gives to equal names."""
    return sorted(map(_plain, before)) != sorted(map(_plain, after))


def base_name(name: str) -> str:
    """A printed name without the number that tells it from equal ones."""
    found = _NUMBERED.fullmatch(name)
    return found[1] if found else name


def operations(lines: Iterable[str]) -> list[str]:
    """What statements do, by their names in the IR, each once and in order: ``copy``, ``tma_load``, ``store``."""
    found: dict[str, None] = {}
    for line in lines:
        call = _OPERATION.match(line)
        if call and call[1] != _ATTRIBUTE:
            found[call[1]] = None
        elif _STORE.match(line):
            found["store"] = None
    return list(found)


def became(before: Iterable[str], after: Iterable[str]) -> str | None:
    """What the operations of some lines turned into, in words; None where they stayed."""
    old, new = operations(before), operations(after)
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if gone and come:
        return f"lowered: {', '.join(gone)} → {', '.join(come)}"
    if come:
        return f"{', '.join(come)} added"
    return f"{', '.join(gone)} gone" if gone else None


def _plain(line: str) -> str:
    return _NUMBERED.sub(r"\1", line)
