"""Captured values as the static analysis and the worker know values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilescope_trace.source.dtypes import dtype_name
from tilescope_trace.source.values import UNKNOWN, Value


def value_of(captured: Any) -> Value:
    """The value of a captured argument; UNKNOWN for one that is only described."""
    if isinstance(captured, list):
        items = [value_of(item) for item in captured]
        return UNKNOWN if UNKNOWN in items else items
    if not isinstance(captured, dict):
        return captured
    if len(captured) != 1:
        return UNKNOWN
    ((tag, inner),) = captured.items()
    if tag == "tuple" and isinstance(inner, list):
        items = value_of(inner)
        return UNKNOWN if items is UNKNOWN else tuple(items)
    if tag == "dict" and isinstance(inner, dict):
        values = {key: value_of(item) for key, item in inner.items()}
        return UNKNOWN if any(value is UNKNOWN for value in values.values()) else values
    if tag == "dtype" and isinstance(inner, str):
        name = inner.rpartition(".")[2]
        # What is no name would be an expression for the worker to evaluate.
        return dtype_name(name) or (name if all(part.isidentifier() for part in inner.split(".")) else UNKNOWN)
    return UNKNOWN


def text_of(captured: Any, module: Callable[[str], str | None]) -> str | None:
    """How the worker is to read the argument, None for as its value's literal text.

    A data type is an object in the program: it is looked up in the file's own ``tilelang.language`` or ``torch``,
    whose local name ``module`` gives where it has one.
    """
    if not isinstance(captured, dict) or list(captured) != ["dtype"]:
        return None
    library, _, name = str(captured["dtype"]).rpartition(".")
    local = module(library or "tilelang.language")
    return f"{local}.{name}" if local else None


def described(captured: Any) -> str | None:
    """What is said of an argument that cannot be given again."""
    return str(captured["described"]) if isinstance(captured, dict) and list(captured) == ["described"] else None
