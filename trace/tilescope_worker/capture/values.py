"""Values of a running program as JSON: literals as they are, what JSON has no form for tagged, the rest described."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import Any

LONGEST = 256
"""Characters of a text, and entries of a list, that are kept; longer ones are described."""
_DEEPEST = 6


def tagged(value: Any, depth: int = 0) -> Any:
    """``value`` as JSON.

    None, booleans, numbers, texts and lists stand for themselves. ``{"tuple": [...]}``, ``{"dict": {...}}``,
    ``{"float": "inf"}`` and ``{"dtype": "float16"}`` (``"torch.float16"`` for torch's) can be read back;
    ``{"described": "..."}`` cannot: functions, tensors and whatever else is no literal.
    """
    kind = type(value)
    if value is None or kind in (bool, int):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind is str and len(value) <= LONGEST:
        return value.encode("utf-8", "backslashreplace").decode()
    if kind.__name__ == "dtype":
        return {"dtype": str(value)}
    if isinstance(value, (list, tuple)) and len(value) <= LONGEST and depth < _DEEPEST:
        items = [tagged(item, depth + 1) for item in value]
        return items if kind is list else {"tuple": items}
    if kind is dict and len(value) <= LONGEST and depth < _DEEPEST and all(type(key) is str for key in value):
        return {"dict": {key: tagged(item, depth + 1) for key, item in value.items()}}
    if kind.__module__.startswith(("numpy", "tvm")):
        return _scalar(value)
    return {"described": describe(value)}


def describe(value: Any) -> str:
    """A few words for a value that is no literal, the same in every run."""
    kind = type(value)
    if inspect.isroutine(value) or inspect.isclass(value):
        word = "class" if inspect.isclass(value) else "function"
        return f"{word} {getattr(value, '__module__', '?')}.{getattr(value, '__qualname__', '?')}"
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is not None and dtype is not None:
        return f"tensor {dtype} [{', '.join(str(extent) for extent in shape)}]"
    return f"{kind.__module__}.{kind.__qualname__}"[:LONGEST]


def plain_configs(configs: Mapping[Any, Any] | None) -> dict[str, Any]:
    """Pass configs with their keys as text."""
    return {str(getattr(key, "value", key)): _config(value) for key, value in dict(configs or {}).items()}


def flags_of(flags: Any) -> list[str]:
    """Compile flags, however they are given."""
    return [flags] if isinstance(flags, str) else [str(flag) for flag in flags or ()]


def _config(value: Any) -> Any:
    return [_config(item) for item in value] if isinstance(value, (list, tuple)) else tagged(value)


def _scalar(value: Any) -> Any:
    """Numbers of numpy and of TVM; only those, since an array of one element is no number."""
    if getattr(value, "shape", ()) == () and hasattr(value, "item"):
        return tagged(value.item(), _DEEPEST)
    inner = getattr(value, "value", None)
    return inner if type(inner) in (bool, int, float) else {"described": describe(value)}
