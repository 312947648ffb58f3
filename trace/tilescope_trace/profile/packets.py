"""Packets of a Perfetto trace, one after another, and how to get at their contents.

A trace is a protobuf message whose only field is the packet (perfetto, trace.proto): so a file can be read packet by
packet, and told from others, without the perfetto package.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import IO, Any

from .errors import ProfileError
from .source import Source

_PACKET = 0x0A
"""Field 1, length-delimited."""
_MOST_BYTES = 1 << 30


def looks_like_packets(head: bytes) -> bool:
    """Whether the start of a file is a chain of packets up to where it ends, or through a good many of them."""
    at, count = 0, 0
    while at < len(head) and count < 16:
        if head[at] != _PACKET:
            return False
        size, at = _varint(head, at + 1)
        if size is None:
            return False
        at, count = at + size, count + 1
    return count >= 2


def packets(source: Source, stream: IO[bytes]) -> Iterator[Any]:
    """All TracePacket messages, those that are compressed together too. Raises ProfileError for a file that is cut
    off or damaged, and where the perfetto package is missing."""
    try:
        from google.protobuf.message import DecodeError
        from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket
    except ImportError as error:
        raise ProfileError(
            source.path,
            f"reading Perfetto traces needs the perfetto package ({error})",
            'it to be installed: pip install "tilescope[perfetto]"',
        ) from error
    at = 0
    while head := stream.read(1):
        where = f"byte {at}"
        if head[0] != _PACKET:
            raise ProfileError(source.path, "here is no packet", "the start of a packet", where)
        digits = _varint_bytes(stream)
        size, _ = _varint(digits, 0)
        if size is None or size > _MOST_BYTES:
            raise ProfileError(source.path, "the size of a packet is damaged or cut off", "a size", where)
        content = stream.read(size)
        if len(content) != size:
            raise ProfileError(source.path, "the file ends within a packet", f"{size} bytes", where)
        try:
            packet = TracePacket.FromString(content)
            together = packet.compressed_packets
            inside = Trace.FromString(zlib.decompress(together)).packet if together else (packet,)
        except (DecodeError, zlib.error) as error:
            raise ProfileError(source.path, str(error), "a whole packet", where) from error
        yield from inside
        at += 1 + len(digits) + size


def _varint_bytes(stream: IO[bytes]) -> bytes:
    digits = b""
    while (digit := stream.read(1)) and len(digits) < 10:
        digits += digit
        if not digit[0] & 0x80:
            break
    return digits


def _varint(data: bytes, at: int) -> tuple[int | None, int]:
    value, shift = 0, 0
    for index in range(at, min(len(data), at + 10)):
        value |= (data[index] & 0x7F) << shift
        shift += 7
        if not data[index] & 0x80:
            return value, index + 1
    return None, at
