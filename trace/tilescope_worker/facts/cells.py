"""Where a compiler layout puts each element, as expressions."""

from __future__ import annotations

import ast
from typing import Any

from tilescope_worker.wire.facts import LayoutMap

from .formulas import NotAFormulaError, formula
from .ir import as_int

_AXES = ("i", "j", "k", "l", "m", "n")
_COPY = "_rep"
"""The compiler's variable for the copy of an element of a fragment."""


def layout_map_of(layout: Any) -> LayoutMap | None:
    """The map of a Layout or Fragment; None where an extent is symbolic or an index is no formula."""
    inputs, outputs = _sizes(layout.get_input_shape()), _sizes(layout.get_output_shape())
    variables = [name for name in (str(one.name) for one in layout.get_forward_vars()) if name != _COPY]
    if inputs is None or outputs is None or len(variables) > len(_AXES):
        return None
    names = dict(zip(variables, _AXES, strict=False)) | {_COPY: "rep"}
    replicate = as_int(layout.replicate_size) if hasattr(layout, "replicate_size") else 1
    if replicate is None:
        return None
    try:
        index = tuple(_tidy(formula(one, names)) for one in layout.get_forward_index())
        thread = _tidy(formula(layout.forward_thread, names)) if hasattr(layout, "replicate_size") else None
    except NotAFormulaError:
        return None
    return LayoutMap(inputs, outputs, index, thread, replicate)


def _tidy(text: str) -> str:
    """The same expression with no more parentheses than it needs."""
    return ast.unparse(ast.parse(text, mode="eval"))


def _sizes(shape: Any) -> tuple[int, ...] | None:
    sizes = [as_int(size) for size in shape]
    return None if None in sizes else tuple(size for size in sizes if size is not None)
