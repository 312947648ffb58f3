"""The texts of two recordings against each other: the same, the same but for constants, changed in the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from tilescope_passdiff.normalise import with_launch_names, without_constants, without_numbers
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import Recording

_TARGET = re.compile(r"T\.target\(\{.*?\}\)")


def key(line: str) -> str:
    """What lines are compared by: names without numbers, and without the target, which is part of the environment."""
    return _TARGET.sub("T.target()", without_numbers(line)) if "T.target(" in line else without_numbers(line)


def alike(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether lines are the same but for their constants."""
    return [*map(shape, one)] == [*map(shape, other)]


# Most lines of a text are those of the text before the pass.
@lru_cache(1 << 14)
def shape(line: str) -> str:
    """What lines are compared by where constants do not count."""
    return without_constants(key(line))


class Texts:
    """Both recordings' texts by their hashes; what was read is kept. Raises RecordingError where one is damaged."""

    def __init__(self, a: Recording, b: Recording) -> None:
        self._recordings = a, b
        self._plain: dict[tuple[int, str], list[str]] = {}
        self._shapes: dict[tuple[int, str], list[str]] = {}

    def same(self, a: str, b: str) -> bool:
        """Whether a text of one and a text of the other say the same."""
        if a == b:
            return True
        old, new = self.plain(0, a), self.plain(1, b)
        # Most texts that differ do so in their size or early on.
        return len(old) == len(new) and all(x == y or key(x) == key(y) for x, y in zip(old, new, strict=True))

    def alike(self, a: str, b: str) -> bool:
        """Whether they say the same but for constants: extents, offsets, numbers of stages and threads."""
        return a == b or self._shape_of(0, a) == self._shape_of(1, b)

    def changed_alike(self, a: PassRecord, b: PassRecord) -> bool:
        """Whether a pass took the same lines away and brought the same ones in, constants apart, in both."""
        return a.changed == b.changed and (not a.changed or self._change(0, a) == self._change(1, b))

    def plain(self, side: int, name: str) -> list[str]:
        """The lines of a text of A (0) or B (1), launch dimensions under their usual names."""
        found = self._plain.get((side, name))
        if found is None:
            text = self._recordings[side].text(name)
            found = self._plain[side, name] = with_launch_names(text).split("\n")
        return found

    def _shape_of(self, side: int, name: str) -> list[str]:
        found = self._shapes.get((side, name))
        if found is None:
            found = self._shapes[side, name] = [*map(shape, self.plain(side, name))]
        return found

    def _change(self, side: int, record: PassRecord) -> tuple[Counter[str], Counter[str]]:
        before, after = (
            Counter(map(str.strip, self._shape_of(side, name))) if name else Counter()
            for name in (record.before, record.after)
        )
        return before - after, after - before
