"""Extents of a recorded launch, which may be expressions, against the numbers of a real one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tilescope_trace.layouts.formulas import BadFormulaError, compiled
from tilescope_trace.model import Extent

_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = ("min", "max", "if", "else", "and", "or", "not")
_LARGEST = 2**31 - 1
"""No grid dimension is larger (CUDA C++ programming guide, compute capabilities), and no size of int32 either."""
_PROBES = tuple(2**power for power in range(31))


@dataclass(frozen=True)
class Fit:
    """Whether numbers are what extents give. ``fits`` is None where that cannot be told; ``ranges`` are the values of
    sizes known only at run time for which they do."""

    fits: bool | None
    ranges: Mapping[str, range] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


def fit(extents: Sequence[Extent], numbers: Sequence[int], known: Mapping[str, int]) -> Fit:
    """Compare extents one by one with ``numbers``; ``known`` are arguments by name. An expression in one unknown size
    that does not fall as the size grows, as every ceiling of a division, is solved for it."""
    ranges: dict[str, range] = {}
    unknown: list[str] = []
    for extent, number in zip(extents, numbers, strict=True):
        if isinstance(extent, int):
            if extent != number:
                return Fit(False)
            continue
        free = tuple(name for name in dict.fromkeys(_NAME.findall(extent)) if name not in _FUNCTIONS)
        found = _solved(extent, [name for name in free if name not in known], number, known)
        if found is None:
            unknown.append(extent)
            continue
        name, values = found
        values = (
            range(max(values.start, ranges[name].start), min(values.stop, ranges[name].stop))
            if (name in ranges)
            else values
        )
        if not values:
            return Fit(False)
        if name:
            ranges[name] = values
    return Fit(None if unknown else True, ranges, tuple(unknown))


def _solved(text: str, free: list[str], number: int, known: Mapping[str, int]) -> tuple[str, range] | None:
    """The unknown name of an expression, and its values that give ``number``; any name and an empty or full range
    where there is none. None where it cannot be solved."""
    names = tuple(sorted({*free, *known}))
    try:
        function = compiled((text,), names)
        if not free:
            holds = function(*(known[name] for name in names))[0] == number
            return "", range(1 if holds else 0)
        if len(free) > 1:
            return None

        def value(size: int) -> int:
            return function(*(size if name == free[0] else known[name] for name in names))[0]

        return (free[0], _between(value, number)) if _rises(value) else None
    except (BadFormulaError, ArithmeticError, ValueError, TypeError):
        return None


def _rises(value: Callable[[int], int]) -> bool:
    values = [value(size) for size in _PROBES]
    return values == sorted(values)


def _between(value: Callable[[int], int], number: int) -> range:
    return range(_first(value, number), _first(value, number + 1))


def _first(value: Callable[[int], int], least: int) -> int:
    """The smallest size whose value is at least ``least``."""
    low, high = 1, _LARGEST + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if value(middle) >= least else (middle + 1, high)
    return low
