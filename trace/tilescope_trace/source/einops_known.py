"""Shapes that ``einops`` patterns give: ``rearrange(x, "b (h d) s -> b h s d", h=8)``, ``repeat``, ``reduce``."""

from __future__ import annotations

import math
import re

from .values import UNKNOWN, Tensor, Value

_TOKEN = re.compile(r"\(|\)|[^\s()]+")


def einops_function(name: str, args: tuple[Value, ...], sizes: dict[str, Value]) -> Value:
    """The result of ``rearrange``, ``repeat`` or ``reduce``; UNKNOWN where the pattern does not fit."""
    if len(args) < 2 or name not in ("rearrange", "repeat", "reduce"):
        return UNKNOWN
    tensor, pattern = args[0], args[1]
    if not isinstance(tensor, Tensor) or tensor.shape is UNKNOWN or not isinstance(pattern, str):
        return UNKNOWN
    left, arrow, right = pattern.partition("->")
    before, after = _groups(left), _groups(right)
    if not arrow or before is None or after is None or len(before) != len(tensor.shape):
        return UNKNOWN
    known: dict[str, Value] = dict(sizes)
    for group, extent in zip(before, tensor.shape, strict=True):
        _bind(group, extent, known)
    return Tensor(tuple(_product(group, known) for group in after), tensor.dtype, True)


def _bind(group: list[str], extent: Value, known: dict[str, Value]) -> None:
    """Give the one axis of a group that is not known what the others leave."""
    unknown = [axis for axis in group if not axis.isdigit() and axis not in known]
    rest = _product([axis for axis in group if axis not in unknown], known)
    for axis in unknown:
        whole = len(unknown) == 1 and type(extent) is int and type(rest) is int and rest > 0
        known[axis] = extent // rest if whole else UNKNOWN


def _product(group: list[str], known: dict[str, Value]) -> Value:
    extents = [int(axis) if axis.isdigit() else known.get(axis, UNKNOWN) for axis in group]
    if len(extents) == 1:
        return extents[0]
    return math.prod(extents) if all(type(extent) is int for extent in extents) else UNKNOWN


def _groups(side: str) -> list[list[str]] | None:
    """``[["b"], ["h", "d"]]`` for ``b (h d)``; None for a pattern with an ellipsis or unbalanced brackets."""
    groups: list[list[str]] = []
    inside = False
    for token in _TOKEN.findall(side):
        if token in "()":
            if inside == (token == "("):
                return None
            inside = token == "("
            if inside:
                groups.append([])
        elif token == "...":
            return None
        elif inside:
            groups[-1].append(token)
        else:
            groups.append([token])
    return None if inside else groups
