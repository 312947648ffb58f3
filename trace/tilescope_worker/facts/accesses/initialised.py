"""Whether what is read was written before.

``faulty`` is proved by an element that an access reads and that no earlier access can have written: writes count
with all that they may reach, reads only with what they surely reach. In shared memory, which other threads may write,
every write of the kernel counts as earlier, and elsewhere those of the loops around the read.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from tilescope_worker.wire.facts import Verdict, Witness

from .raw import Extracted, Raw
from .solve import Budget
from .terms import Interval, Term, Variable, add, interval, is_known, linear, variables

Box = tuple[Interval, ...]
_JUDGED = ("local", "local.fragment", "shared", "shared.dyn")
_CANDIDATES = 4096


def judge(extracted: Extracted, budget: Budget) -> dict[Raw, tuple[Verdict, Witness | None]]:
    """The verdict on every access; a parameter holds what the caller has put there, and a write needs nothing."""
    by_data: dict[Any, list[Raw]] = {}
    for access in extracted.accesses:
        by_data.setdefault(access.buffer.data, []).append(access)
    given = {buffer.data for buffer in extracted.parameters}
    found: dict[Raw, tuple[Verdict, Witness | None]] = {}
    for data, accesses in by_data.items():
        found.update((access, ("safe", None)) for access in accesses if access.mode == "write" or data in given)
        if data in given:
            continue
        if data in extracted.escaped or data in extracted.aliased or accesses[0].scope not in _JUDGED:
            continue
        shape = extracted.shapes[accesses[0].buffer]
        writes = [access for access in accesses if access.mode != "read"]
        for access in accesses:
            if access.mode == "read":
                found[access] = _read(access, writes, shape, budget)
            elif access.mode == "atomic":  # it adds to what is there; another atomic has not put that there
                found[access] = _read(access, [one for one in writes if one.mode == "write"], shape, budget)
    return found


def _read(
    access: Raw, writes: Sequence[Raw], shape: tuple[Term, ...], budget: Budget
) -> tuple[Verdict, Witness | None]:
    if not all(isinstance(extent, int) for extent in shape):
        return "unknown", None
    inside = [(0, extent - 1) for extent in shape if isinstance(extent, int)]
    earlier = [write for write in writes if _may_precede(write, access)]
    read = _reach(access, inside)
    if any(_surely(write, access) and _covers(_reach(write, inside), read) for write in earlier):
        return "safe", None
    if access.guards or any(variable.count == 0 for variable in access.loops) or not _is_exact(access):
        return "unknown", None
    boxes = [_reach(write, inside) for write in earlier if write.order != access.order]
    element = _left_out(read, boxes, budget)
    if element is None:
        return "unknown", None
    written = _hull(boxes)
    return "faulty", Witness(
        values={},
        detail={
            "element": list(element),
            "read": [[int(low), int(high)] for low, high in read],
            "written": [[int(low), int(high)] for low, high in written] if written else None,
            "written_lines": sorted({write.where.line for write in earlier if write.where is not None}),
        },
    )


def _may_precede(write: Raw, read: Raw) -> bool:
    if write.order < read.order:
        return True
    if _same_statement(write, read):
        return False
    if read.scope.startswith("shared"):
        return True
    # A write behind the read comes before it in the next round of a loop around both.
    common = [loop for loop, other in zip(write.loops, read.loops, strict=False) if loop is other]
    return any(loop.kind == "serial" and loop.count > 1 for loop in common)


def _same_statement(write: Raw, read: Raw) -> bool:
    """Whether ``write`` stores the result of what ``read`` is part of: it is no earlier write."""
    return write.buffer.same_as(read.buffer) and write.where == read.where and 0 < write.order - read.order <= 8


def _surely(write: Raw, read: Raw) -> bool:
    """Whether ``write`` has happened, whole, whenever ``read`` does."""
    if write.order >= read.order or write.guards or not _is_exact(write):
        return False
    return all(loop.count > 0 for loop in write.loops) and not write.limits


def _reach(access: Raw, inside: list[tuple[int, int]]) -> Box:
    """The box that holds every element the access may touch in the buffer; what the access does outside is for
    others to say."""
    box = []
    for start, count, (low, high) in zip(access.starts, access.counts, inside, strict=True):
        if is_known(start) and is_known(count):
            first, last = interval(start)[0], interval(add(start, count))[1] - 1
        else:
            first, last = -math.inf, math.inf
        box.append((max(first, low), min(last, high)))
    return tuple(box)


def _is_exact(access: Raw) -> bool:
    """Whether the access touches every element of its box over all values of its variables: each axis is a run of
    consecutive indices, and no variable is in two axes."""
    seen: set[Variable] = set()
    for start, count in zip(access.starts, access.counts, strict=True):
        if not isinstance(count, int) or not is_known(start):
            return False
        own = variables(start)
        if own & seen:
            return False
        seen |= own
        reach = float(count)
        for atom, factor in sorted(linear(start)[1].items(), key=lambda item: abs(item[1])):
            if not isinstance(atom, Variable) or math.isinf(atom.count) or abs(factor) > reach:
                return False
            reach += abs(factor) * (atom.count - 1)
    return not access.limits


def _covers(outer: Box, inner: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def _left_out(read: Box, boxes: Sequence[Box], budget: Budget) -> tuple[int, ...] | None:
    """An element of ``read`` in none of ``boxes``: the first of those where boxes begin or end."""
    if any(math.isinf(low) or math.isinf(high) or low > high for low, high in read):
        return None
    axes = []
    for axis, (low, high) in enumerate(read):
        places: Iterable[float] = [
            low,
            high,
            *(box[axis][1] + 1 for box in boxes),
            *(box[axis][0] - 1 for box in boxes),
        ]
        axes.append(sorted({int(place) for place in places if low <= place <= high}))
    if math.prod(map(len, axes)) > min(_CANDIDATES, budget.left):
        return None
    for element in itertools.product(*axes):
        budget.left -= 1
        if not any(_holds(box, element) for box in boxes):
            return element
    return None


def _holds(box: Box, element: tuple[int, ...]) -> bool:
    return all(low <= at <= high for (low, high), at in zip(box, element, strict=True))


def _hull(boxes: Sequence[Box]) -> Box | None:
    real = [box for box in boxes if all(low <= high for low, high in box)]
    if not real:
        return None
    return tuple((min(low for low, _ in axis), max(high for _, high in axis)) for axis in zip(*real, strict=True))
