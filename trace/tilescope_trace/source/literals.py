"""Argument values as text and as JSON."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping

from tilescope_trace.model import Json

from .dtypes import dtype_name
from .values import UNKNOWN, Reference, Value, is_plain

_DOTTED = re.compile(r"(?:[^\W\d]\w*\.)*([^\W\d]\w*)")


def parse_literal(text: str) -> Value:
    """The value of a Python literal or of a data type name (``float16``, ``T.float16``); UNKNOWN otherwise."""
    text = text.strip()
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        match = _DOTTED.fullmatch(text)
        return (dtype_name(match[1]) or UNKNOWN) if match else UNKNOWN
    return value if is_plain(value) else UNKNOWN


def literal_text(value: Value) -> str | None:
    """Text that the worker reads back as the same value: a literal, or what a reference says; None where there is
    none."""
    if isinstance(value, Reference):
        return value.text
    return repr(value) if is_plain(value) and _finite(value) else None


def as_json(value: Value) -> Json:
    """A plain value as JSON: tuples become lists; what JSON has no form for appears as Python writes it."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return [as_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()} if _has_names(value) else repr(value)
    return value


def _has_names(value: Mapping[Value, Value]) -> bool:
    return all(isinstance(key, str) for key in value)


def _finite(value: Value) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (tuple, list)):
        return all(_finite(item) for item in value)
    if isinstance(value, dict):
        return all(_finite(item) for item in [*value.keys(), *value.values()])
    return True
