"""Which passes changed the IR of which Python line, or what the IR does with which buffer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilescope_trace.history.texts import base_name, differ, main_passes
from tilescope_trace.model import Origin
from tilescope_trace.store.read import Recording

from .selection import Selection

Key = Origin | str
"""A Python line, or a buffer by its name in Python."""
Touches = dict[Key, int]
"""How many lines about each key are others behind a pass."""
BLOCKS = "▁▂▃▄▅▆▇█"


def touches(recording: Recording) -> Iterator[tuple[int, Touches]]:
    """For each pass on the way from the kernel to the generated source its position and what it changed; names
    numbered anew and lines in another order are no change. Raises RecordingError where a text is damaged."""
    positions = {record.index: at for at, record in enumerate(recording.passes)}
    known: tuple[str, dict[Key, list[str]]] = ("", {})
    for record in main_passes(recording):
        assert record.after is not None
        before = known[1] if known[0] == record.before else _lines_about(recording, record.before)
        after = _lines_about(recording, record.after)
        known = (record.after, after)
        found: Touches = {}
        for key in before.keys() | after.keys():
            old, new = before.get(key, []), after.get(key, [])
            if old == new:
                continue
            # What both have needs no look at its names, which is what takes time.
            gone, come = set(old) - set(new), set(new) - set(old)
            if differ(gone, come):
                found[key] = len(gone) + len(come)
            elif len(old) != len(new):
                found[key] = abs(len(old) - len(new))
        yield positions[record.index], found


class Life:
    """What is known so far of all passes."""

    def __init__(self) -> None:
        self._touches: dict[Key, dict[int, int]] = {}

    def add(self, position: int, found: Touches) -> None:
        """Takes what the pass at ``position`` changed."""
        for key, amount in found.items():
            self._touches.setdefault(key, {})[position] = amount

    def of(self, selection: Selection) -> Mapping[int, int]:
        """The positions of the passes that changed what is selected, in order, and by how many lines."""
        keys: list[Key] = [selection.buffer] if selection.buffer is not None else list(selection.places)
        found: dict[int, int] = {}
        for key in keys:
            for position, amount in self._touches.get(key, {}).items():
                found[position] = found.get(position, 0) + amount
        return dict(sorted(found.items()))


def sparkline(found: Mapping[int, int], passes: int, width: int) -> str:
    """``passes`` passes in ``width`` characters (or fewer), as high as they changed much; blank where they changed
    nothing. Of several passes in one character the largest counts."""
    cells = min(width, passes)
    if cells <= 0 or not found:
        return ""
    largest = max(found.values())
    line = [0] * cells
    for position, amount in found.items():
        at = position * cells // passes
        line[at] = max(line[at], 1 + (len(BLOCKS) - 1) * amount // largest)
    return "".join(BLOCKS[level - 1] if level else "·" for level in line)


def cell_of(position: int, passes: int, width: int) -> int:
    """The character of the sparkline that stands for a pass."""
    return position * min(width, passes) // max(1, passes)


def _lines_about(recording: Recording, name: str) -> dict[Key, list[str]]:
    lines = recording.text(name).split("\n")
    found: dict[Key, list[str]] = {}

    def add(key: Key, numbers: Sequence[int]) -> None:
        found.setdefault(key, []).extend(lines[number - 1].strip() for number in numbers if number <= len(lines))

    for number, origins in recording.line_map(name).origins.items():
        for origin in origins:
            add(origin, (number,))
    for state in recording.buffers(name):
        add(base_name(state.name), sorted({*state.declared, *state.used}))
        # The line that allocates it has lost its statement in most texts, and still is about it.
        if state.origin is not None:
            add(state.origin, state.declared)
    return found
