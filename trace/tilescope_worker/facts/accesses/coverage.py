"""Which elements of each parameter the whole launch touches.

Axis by axis: an index that no access has on an axis belongs to elements that nothing touches, which needs no look at
how the axes depend on each other. ``safe`` does: it is told only where one unconditional access has every element.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

from tilescope_worker.wire.facts import AccessMode, Coverage, Json, Verdict

from .raw import Extracted, Raw
from .solve import Budget, function
from .terms import Term, Variable, is_known, linear, source, variables

_COUNTED = ("copy", "fill", "atomic", None)


@dataclass(frozen=True)
class Run:
    """The indices of an axis that an access touches: all from ``first`` to ``last``, which may lie outside. ``by`` is
    the variable with the largest stride, ``tile``; ``count`` its number of values."""

    first: int
    last: int
    by: Variable | None = None
    tile: int = 1
    count: int = 1


def judge(extracted: Extracted, line_of: Any, budget: Budget) -> tuple[Coverage, ...]:
    """Coverage of every parameter that is written, and of every one that is read."""
    found = []
    for buffer in extracted.parameters:
        shape = extracted.shapes[buffer]
        same = [access for access in extracted.accesses if access.buffer.data.same_as(buffer.data)]
        unclear = buffer.data in extracted.escaped or any(not one.buffer.same_as(buffer) for one in same)
        modes: tuple[AccessMode, ...] = ("write", "read")
        for mode in modes:
            own = [access for access in same if (access.mode == "read") == (mode == "read")]
            if own:
                found.append(_coverage(buffer, mode, own, shape, line_of, budget, unclear=unclear))
    return tuple(found)


def _coverage(
    buffer: Any,
    mode: AccessMode,
    own: list[Raw],
    shape: tuple[Term, ...],
    line_of: Any,
    budget: Budget,
    *,
    unclear: bool,
) -> Coverage:
    name, line = str(buffer.name), line_of(own[0])
    if unclear or not all(isinstance(extent, int) for extent in shape):
        return Coverage(name, mode, "unknown", line)
    extents = [extent for extent in shape if isinstance(extent, int)]
    runs = [[_run(access, axis, budget) for axis in range(len(extents))] for access in own]
    missing = [_missing([row[axis] for row in runs], extent) for axis, extent in enumerate(extents)]
    at = next((axis for axis, gap in enumerate(missing) if gap is not None), None)
    verdict: Verdict = "unknown"
    if at is not None:
        verdict = "faulty"
    elif any(_complete(access, row, extents) for access, row in zip(own, runs, strict=True)):
        verdict = "safe"
    box: tuple[tuple[int, int], ...] = ()
    if at is not None:
        box = tuple((missing[at] or (0, 0)) if axis == at else (0, extent - 1) for axis, extent in enumerate(extents))
    detail: dict[str, Json] = {}
    if len({tuple(map(_key, row)) for row in runs}) == 1:
        detail["axes"] = [_axis(run, extent) for run, extent in zip(runs[0], extents, strict=True)]
    return Coverage(name, mode, verdict, line, box, detail)


def _key(run: Run | None) -> Any:
    return run and (run.first, run.last, run.by, run.tile, run.count)


def _axis(run: Run | None, extent: int) -> Json:
    if run is None:
        return {"extent": extent}
    found: dict[str, Json] = {"extent": extent, "first": run.first, "last": run.last}
    if run.by is not None:
        found |= {"variable": run.by.name, "kind": run.by.kind, "count": run.count, "tile": run.tile}
        if run.by.line is not None:
            found["line"] = run.by.line
    return found


def _missing(runs: list[Run | None], extent: int) -> tuple[int, int] | None:
    """The last indices of an axis that no access has, else the first, else those between; None where there are none
    or it is not known."""
    known = [run for run in runs if run is not None]
    if len(known) < len(runs):
        return None
    reached = 0
    gap = None
    for run in sorted(known, key=lambda run: run.first):
        if run.first > reached and gap is None:
            gap = (reached, min(run.first, extent) - 1)
        reached = max(reached, run.last + 1)
    return (reached, extent - 1) if reached < extent else gap


def _run(access: Raw, axis: int, budget: Budget) -> Run | None:
    """The indices that ``access`` has on an axis over all its variables, None where that is not known or no run."""
    start, count = access.starts[axis], access.counts[axis]
    if not is_known(start) or not isinstance(count, int) or access.operation not in _COUNTED:
        return None
    constant, atoms = linear(start)
    reach = count
    by, tile = None, 1
    for atom, factor in sorted(atoms.items(), key=lambda item: abs(item[1])):
        if not isinstance(atom, Variable):
            return _enumerated(access, axis, budget)
        if math.isinf(atom.first) or math.isinf(atom.last) or abs(factor) > reach or factor < 0:
            return None
        by, tile = atom, factor
        reach += factor * int(atom.count - 1)
        constant += factor * int(atom.first)
    return Run(constant, constant + reach - 1, by, tile, int(by.count) if by is not None else 1)


def _enumerated(access: Raw, axis: int, budget: Budget) -> Run | None:
    start, count = access.starts[axis], access.counts[axis]
    free = sorted(variables(start), key=lambda variable: variable.name)
    if not isinstance(count, int) or any(math.isinf(variable.count) for variable in free):
        return None
    total = math.prod(int(variable.count) for variable in free)
    if total > min(budget.left, budget.each):
        return None
    budget.left -= total
    names = {variable: f"v{at}" for at, variable in enumerate(free)}
    value = function(source(start, names), list(names.values()))
    ranges = [range(int(variable.first), int(variable.last) + 1) for variable in free]
    try:
        starts = sorted({value(*values) for values in itertools.product(*ranges)})
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    if not starts or any(later - earlier > count for earlier, later in itertools.pairwise(starts)):
        return None
    return Run(starts[0], starts[-1] + count - 1)


def _complete(access: Raw, runs: list[Run | None], extents: list[int]) -> bool:
    """Whether one access has every element: its axes are independent, nothing conditions it."""
    if access.guards or access.limits:
        return False
    seen: set[Variable] = set()
    for run, start, extent in zip(runs, access.starts, extents, strict=True):
        own = variables(start)
        if run is None or own & seen or run.first > 0 or run.last < extent - 1:
            return False
        seen |= own
    return True
