"""Data type names as TileLang writes them, and their sizes."""

from __future__ import annotations

import functools
import math
import re

_FULL = re.compile(r"(?:u?int|float|bfloat)(\d+)(?:_\w+?)?(?:x(\d+))?")
_SHORT = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "bool": "bool",
}
"""PyTorch's short names; the tile language reads ``float`` and ``int`` the same way."""
_UNSIZED = {"bfloat": "bfloat16", "uint": "uint32"}
"""Short names that only the compiler has."""


@functools.cache
def dtype_name(attribute: str) -> str | None:
    """``float16`` for the attribute of ``T.float16``, ``torch.float16`` or ``torch.half``; None for what is none."""
    return attribute if _FULL.fullmatch(attribute) else _SHORT.get(attribute)


_LONGEST = 100
"""No dtype's name comes near; Python refuses to read numbers of thousands of digits."""


@functools.cache
def full_name(name: str) -> str:
    """The name of a buffer's dtype as the compiler tells it: ``float32`` for ``float``; unknown names as they are."""
    return _UNSIZED.get(name) or dtype_name(name) or name


@functools.cache
def bits(dtype: str) -> int | None:
    """Bits of one element, all lanes (``float16x2``: 32); None for an unknown name."""
    if dtype == "bool":
        return 8
    match = _FULL.fullmatch(dtype) if len(dtype) <= _LONGEST else None
    return int(match[1]) * int(match[2] or 1) if match else None


def size_in_bytes(shape: tuple[int | str, ...], dtype: str | None) -> int | None:
    """Bytes of a whole buffer, None where an extent or the type is not known, or an extent is negative."""
    width = bits(dtype) if dtype else None
    sizes = [extent for extent in shape if isinstance(extent, int) and extent >= 0]
    if width is None or len(sizes) != len(shape):
        return None
    return -(-math.prod(sizes) * width // 8)
