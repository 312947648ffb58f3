"""``visualize_data.bin``: blocks one behind the other, each a header, content, and zeros up to four bytes.

Header: u64 size of content and padding (little endian), u8 type, u8 padding, u8 version, u8 0x5a. A block of source
text has the path, 4096 bytes that do not count as content, before it (msopprof, csrc/op_profiling/common/visualize).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import IO, TypeVar

import msgspec

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.source import Source

_HEADER = struct.Struct("<QBBBB")
_MARK = 0x5A
_PATH_BYTES = 4096
_ALIGNMENT = 4
_PIECE_BYTES = 1 << 20

T = TypeVar("T")


class Kind(IntEnum):
    """What a block holds."""

    SOURCE = 1
    TRACE = 2
    LINES = 3
    INSTRUCTIONS = 4
    BASE = 5
    LOAD_CHART = 6
    LOAD_TABLE = 7
    MEMORY_MAP = 8
    MEMORY_TABLE = 9
    CORES = 12
    ROOFLINE = 13
    CACHE = 14
    STALLS = 15


@dataclass(frozen=True, slots=True)
class Block:
    """One block. Its content has to be taken before the next block is."""

    source: Source
    kind: int
    offset: int
    path: str
    content: Content

    def json(self, shape: type[T]) -> T:
        """The content as JSON of ``shape``. Raises ProfileError."""
        try:
            return msgspec.json.decode(self.content.read(), type=shape, strict=False)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise self.wrong(str(error).rstrip("."), f"JSON of a block of type {self.kind}") from error

    def wrong(self, problem: str, expected: str) -> ProfileError:
        """The error for content that is not what it should be."""
        return ProfileError(self.source.path, problem, expected, f"block at byte {self.offset}")


class Content:
    """The content of a block as a stream."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, size: int = -1) -> bytes:
        """The next bytes, at most ``size`` of them. Piece by piece: a damaged header may promise any number."""
        left = self._left if size < 0 else min(size, self._left)
        data = bytearray()
        while left and (piece := self._stream.read(min(left, _PIECE_BYTES))):
            data += piece
            left -= len(piece)
        self._left -= len(data)
        return bytes(data)

    @property
    def left(self) -> int:
        """How many bytes have not been read."""
        return self._left


def looks_like_blocks(head: bytes) -> bool:
    """Whether bytes begin with a block."""
    if len(head) < _HEADER.size:
        return False
    size, kind, padding, _, mark = _HEADER.unpack_from(head)
    return bool(mark == _MARK and 0 < kind <= max(Kind) and padding < _ALIGNMENT and 0 < size < 1 << 40)


def blocks(source: Source) -> Iterator[Block]:
    """The blocks of a file. Raises ProfileError where one is damaged or cut off."""
    with source.open() as stream:
        offset = 0
        while header := stream.read(_HEADER.size):
            if len(header) < _HEADER.size:
                raise _damaged(source, offset, f"the file ends within a header of {len(header)} bytes")
            size, kind, padding, _, mark = _HEADER.unpack(header)
            if mark != _MARK or padding >= _ALIGNMENT or padding > size:
                raise _damaged(source, offset, "no header of a block stands here")
            path = _path(stream.read(_PATH_BYTES)) if kind == Kind.SOURCE else ""
            content = Content(stream, size - padding)
            yield Block(source, kind, offset, path, content)
            while content.left and content.read(_PIECE_BYTES):
                pass
            if content.left or len(stream.read(padding)) < padding:
                raise _damaged(source, offset, f"the file ends within a block of {size} bytes")
            offset += _HEADER.size + size + (_PATH_BYTES if kind == Kind.SOURCE else 0)


def _path(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode(errors="replace")


def _damaged(source: Source, offset: int, problem: str) -> ProfileError:
    return ProfileError(
        source.path, problem, "blocks of 12 bytes of header and as much content as it says", f"byte {offset}"
    )
