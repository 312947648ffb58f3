"""Lines of generated source, and the Python line that the time of each counts to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilescope_trace.model import GeneratedLineRecord, Origin
from tilescope_trace.store.read import Recording

from .model import Frames

_DEFINITION = re.compile(r"\b__global__\b.*\{\s*$")
_LOOP = re.compile(r"\s*(for|while)\s*\(")


@dataclass(frozen=True)
class GeneratedLines:
    """The generated source of one recording. ``records`` are what is known of its lines; ``loops`` is the header of
    the innermost loop around each line that lies in one; ``definitions`` are the lines that kernels begin on."""

    count: int
    records: Mapping[int, GeneratedLineRecord]
    loops: Mapping[int, int]
    definitions: frozenset[int]

    def python(self, line: int) -> Origin | None:
        """The Python line that the time spent on a generated line counts to.

        A line that stems from several, as the wait for a stage of a pipeline or a branch around two copies does,
        counts to the loop around it: it is none of them that takes the time. Outside of loops it counts to the
        first.
        """
        record = self.records.get(line)
        if record is None or not record.origins:
            return None
        if len(record.origins) > 1:
            loop = self.records.get(self.loops.get(line, 0))
            if loop is not None and loop.origins:
                return loop.origins[0]
        return record.origins[0]

    def is_shared(self, line: int) -> bool:
        """Whether `python` counts a line to the loop around it."""
        record = self.records.get(line)
        return record is not None and len(record.origins) > 1 and self.python(line) != record.origins[0]


def generated_lines(recording: Recording) -> GeneratedLines:
    """The lines of a recording's generated source; none where it has none."""
    source = recording.generated()
    lines = [] if source is None else source.split("\n")
    records = {record.line: record for record in recording.generated_lines()}
    definitions = frozenset(number for number, line in enumerate(lines, 1) if _DEFINITION.search(line))
    return GeneratedLines(len(lines), records, _loops(lines), definitions)


def own_file(frames: Iterable[Frames]) -> str | None:
    """The file that generated source was compiled as: the one that most outermost frames name."""
    files = Counter(stack[-1].file for stack in frames if stack)
    return files.most_common(1)[0][0] if files else None


def _loops(lines: Sequence[str]) -> dict[int, int]:
    """By indentation, which code generators keep in every language that they write."""
    found: dict[int, int] = {}
    open_loops: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        text = line.lstrip()
        if not text or text.startswith("#"):
            if open_loops:
                found[number] = open_loops[-1][1]
            continue
        indent = len(line) - len(text)
        while open_loops and indent <= open_loops[-1][0]:
            open_loops.pop()
        if open_loops:
            found[number] = open_loops[-1][1]
        if _LOOP.match(line):
            open_loops.append((indent, number))
    return found
