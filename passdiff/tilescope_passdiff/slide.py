"""Moves changed blocks, without changing how many lines they hold, to where a reader expects them.

A block that is only inserted (or only deleted) may move up when the line before it equals its last line, and down
when its first line equals the line after it. First, blocks that can touch become one; then each is put where both
its ends fall at a small indentation or after a blank line: a whole loop, not the end of one and the beginning of the
next.
"""

from __future__ import annotations

from collections.abc import Sequence

Change = tuple[int, int, int, int]
"""Start and end before, start and end after: 0-based, ends exclusive."""


def slide(
    changes: Sequence[Change],
    old: Sequence[int],
    new: Sequence[int],
    before: Sequence[str],
    after: Sequence[str],
) -> list[Change]:
    """``changes`` (ascending, apart) moved; ``old`` and ``new`` number the lines, equal numbers for equal lines."""
    joined: list[Change] = []
    for change in changes:
        while _is_one_sided(change):
            at = _end(joined[-1]) if joined else (0, 0)
            moved = _moved(change, -_room_up(change, old, new, at))
            if not joined or (moved[0], moved[2]) != at:
                break
            change = _join(joined.pop(), moved)
        joined.append(change)
    settled: list[Change] = []
    for change in reversed(joined):
        while _is_one_sided(change):
            at = (settled[-1][0], settled[-1][2]) if settled else (len(old), len(new))
            moved = _moved(change, _room_down(change, old, new, at))
            if not settled or _end(moved) != at:
                break
            change = _join(moved, settled.pop())
        settled.append(change)
    settled.reverse()
    for position, change in enumerate(settled):
        if not _is_one_sided(change):
            continue
        # One line stays between two blocks: those that could touch and gain by it are one already.
        floor = _end(settled[position - 1]) if position else (-1, -1)
        roof = settled[position + 1] if position + 1 < len(settled) else (len(old) + 1, 0, len(new) + 1, 0)
        up = _room_up(change, old, new, (floor[0] + 1, floor[1] + 1))
        down = _room_down(change, old, new, (roof[0] - 1, roof[2] - 1))
        if up or down:
            settled[position] = _best(change, up, down, before, after)
    return settled


def _end(change: Change) -> tuple[int, int]:
    return change[1], change[3]


def _join(first: Change, second: Change) -> Change:
    return first[0], second[1], first[2], second[3]


def _moved(change: Change, by: int) -> Change:
    return change[0] + by, change[1] + by, change[2] + by, change[3] + by


def _is_one_sided(change: Change) -> bool:
    """Whether the block is only inserted or only deleted: a replaced one has nowhere to go."""
    return change[0] == change[1] or change[2] == change[3]


def _room_up(change: Change, old: Sequence[int], new: Sequence[int], limit: tuple[int, int]) -> int:
    """How many lines up the block can move before it reaches ``limit``."""
    lines, start, end = _own_side(change, old, new)
    most = min(change[0] - limit[0], change[2] - limit[1])
    room = 0
    while room < most and lines[start - room - 1] == lines[end - room - 1]:
        room += 1
    return room


def _room_down(change: Change, old: Sequence[int], new: Sequence[int], limit: tuple[int, int]) -> int:
    lines, start, end = _own_side(change, old, new)
    most = min(limit[0] - change[1], limit[1] - change[3])
    room = 0
    while room < most and lines[start + room] == lines[end + room]:
        room += 1
    return room


def _own_side(change: Change, old: Sequence[int], new: Sequence[int]) -> tuple[Sequence[int], int, int]:
    """The side that the block has lines on."""
    return (new, change[2], change[3]) if change[0] == change[1] else (old, change[0], change[1])


def _best(change: Change, up: int, down: int, before: Sequence[str], after: Sequence[str]) -> Change:
    lines = after if change[0] == change[1] else before
    start, end = (change[2], change[3]) if change[0] == change[1] else (change[0], change[1])
    # Of equally good places the lowest, as git does.
    by = min(range(down, -up - 1, -1), key=lambda by: _cost(lines, start + by) + _cost(lines, end + by))
    return _moved(change, by)


def _cost(lines: Sequence[str], at: int) -> float:
    """How unnatural it is to cut ``lines`` before line ``at``."""
    following = at
    while following < len(lines) and not lines[following].strip():
        following += 1
    if following == len(lines):
        return 0.0
    indent = len(lines[following]) - len(lines[following].lstrip())
    after_blank = at > 0 and not lines[at - 1].strip()
    starts_blank = following != at
    return indent - (0.5 if after_blank else 0.0) + (0.25 if starts_blank else 0.0)
